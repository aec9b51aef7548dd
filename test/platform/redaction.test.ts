import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedaction } from '../../src/platform/redaction.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (redacted: Uint8Array): string => Buffer.from(redacted).toString();

describe('redaction', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/=&"ä-]{16,40}$/);

  test('leaves no secret value of the environment anywhere in the output', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const { output, answer } = createRedaction({ MY_API_TOKEN: value });
        for (const redact of [output, answer]) {
          expect(text(redact(bytes(before + value + after)))).not.toContain(value);
          const asUrl = `https://host/?key=${encodeURIComponent(value)}`;
          expect(text(redact(bytes(asUrl)))).not.toContain(encodeURIComponent(value));
        }
      }),
    );
  });

  test('keeps an answer JSON when a secret stands in one of its texts', () => {
    fc.assert(
      fc.property(secret, fc.string(), (value, around) => {
        const { answer } = createRedaction({ MY_SECRET: value });
        const redacted = text(answer(bytes(JSON.stringify({ title: around + value }))));
        expect(Object.keys(JSON.parse(redacted) as object)).toEqual(['title']);
      }),
    );
  });

  test('changes no byte where there is no secret, whatever the encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (anything) => {
        const { answer } = createRedaction({ MY_TOKEN: 'a-long-enough-secret-9' });
        expect(answer(anything)).toBe(anything);
      }),
    );
  });

  test('masks a value that the output limit cut through', () => {
    const { output } = createRedaction({ DEPLOY_KEY: 'canary-5b1f9a7c3d' });
    expect(text(output(bytes('key: canary-5b1f')))).toBe('key: [redacted]');
  });

  // In pieces, so that nobody's scanner takes this file for a leak.
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  test.each([
    ['sk-', letters],
    ['ghp_', letters],
    ['AKIA', 'ABCDEFGHIJKLMNOP'],
    ['Authorization: Bearer ', letters],
    ['https://user:', 'hunter22@host/path'],
    ['eyJhbGciOi', `JIUzI1NiJ9.${letters}.${letters}`],
  ])('knows the shape of %s... in output, and leaves it to the answer', (start, rest) => {
    const line = start + rest;
    const { output, answer } = createRedaction({});
    expect(text(output(bytes(`> ${line}\n`)))).toContain('[redacted]');
    expect(text(answer(bytes(line)))).toBe(line);
  });

  test("does not mask words that happen to be somebody's password", () => {
    const { output } = createRedaction({ PGPASSWORD: 'password', SECRET: 'changeme', TOKEN: '' });
    expect(text(output(bytes('a hard-coded password: changeme')))).toBe(
      'a hard-coded password: changeme',
    );
  });

  test('does not take ordinary variables for secrets', () => {
    const { output } = createRedaction({
      HOME: '/home/somebody/somewhere1',
      KEYBOARD: 'layout-de-12345678',
    });
    expect(text(output(bytes('/home/somebody/somewhere1 layout-de-12345678')))).toBe(
      '/home/somebody/somewhere1 layout-de-12345678',
    );
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTools } from '../../src/analyzers/found/found-tools.ts';
import { runFoundTools } from '../../src/analyzers/run-found-tools.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { FOUND_TOOL_NAMES } from '../../src/domain/consent.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { createOtherCoverage, enrichment, type Enrichment } from '../../src/pipeline/enrichment.ts';
import { freezeTree } from '../../src/platform/frozen-tree.ts';
import { runProgram } from '../../src/platform/subprocess.ts';
import { PROJECT } from '../helpers/built-paths.ts';
import { createFakeTools, type FakeTools } from '../helpers/fake-tools.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const NOTHING: Enrichment = { leads: [], analyzers: [], incomplete: [], duplicates: [] };
const REPO = join(PROJECT, 'fixtures', 'imports', 'repo');
const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(REPO, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file.slice(REPO.length + 1), readFileSync(file, 'utf8')];
    }),
);

type Options = {
  readonly consent?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly root?: string;
};

/** Runs the fakes over a real copy of a small repository. */
const found = async (
  prepare: (tools: FakeTools) => Promise<unknown>,
  { consent = ['analyzers'], files = FILES, environment = {}, root }: Options = {},
) => {
  const home = await temporaryFolder();
  const tools = await createFakeTools(home);
  await prepare(tools);
  const source = createSimulatedSourceTree(files);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const { tree } = await freezeTree({ source, inventory, folder: join(home, 'copy', 'tree') });
  const at = root ?? join(home, 'elsewhere');
  const said = await runFoundTools(
    NOTHING,
    {
      ...{ programs: findTools(`${tools.folder}:/nowhere`, at), consent, root: at, environment },
      ...{ runProgram, timeoutMs: 3000, reportBytesMax: 200_000 },
    },
    { tree, inventory, disposition, scratch: join(home, 'copy', 'scratch') },
  );
  expect(enrichment.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
  return { said, tools, home, tree: join(home, 'copy', 'tree') };
};

const leadsOf = ({ leads }: Enrichment): readonly string[] =>
  leads.map(({ analyzer, rule, place }) => `${analyzer} ${rule} ${place.path}:${place.line}`);

const ISOLATION: Readonly<Record<string, readonly string[]>> = {
  ruff: ['--isolated', '--no-cache', '--no-fix', '--ignore-noqa'],
  bandit: ['--ini', '-c', '--ignore-nosec'],
  shellcheck: ['--norc'],
  hadolint: ['--config', '--disable-ignore-pragma'],
  actionlint: ['-config-file', '-shellcheck=', '-pyflakes='],
  gitleaks: ['--no-git', '--config', '--redact', '--gitleaks-ignore-path'],
  trivy: ['--offline-scan', '--skip-db-update', '--config', '--ignorefile'],
  'osv-scanner': ['--offline', '--config', '--no-ignore'],
  'golangci-lint': ['--no-config'],
  semgrep: ['--metrics', '--disable-version-check', '--disable-nosem', '--no-git-ignore'],
};

const GO = { ...FILES, 'go.mod': 'module shop\n' };

describe('a program that is found on the machine', () => {
  test.each([
    ['ruff', 'ruff.json', 0, 'ruff F401 tools/load.py:1'],
    ['bandit', 'bandit.json', 1, 'bandit B403 tools/load.py:2'],
    ['shellcheck', 'shellcheck.json', 1, 'shellcheck SC2164 scripts/deploy.sh:2'],
    ['hadolint', 'trivy.sarif', 0, 'hadolint DS002 Dockerfile:1'],
    ['actionlint', 'actionlint.json', 1, 'actionlint expression .github/workflows/ci.yml:7'],
    ['gitleaks', 'gitleaks.json', 0, 'gitleaks generic-api-key tools/load.py:5'],
    ['trivy', 'trivy.sarif', 0, 'trivy DS002 Dockerfile:1'],
    ['osv-scanner', 'trivy.sarif', 1, 'osv-scanner DS002 Dockerfile:1'],
    ['golangci-lint', 'golangci.json', 0, 'golangci-lint errcheck cmd/main.go:6'],
    ['semgrep', 'semgrep.json', 1, /^semgrep javascript\.lang\S+ src\/run\.js:6$/],
  ] as const)(
    '%s is told to obey nothing of the repository, and its report is read',
    async (name, report, exitCode, lead) => {
      const secret = { AWS_SECRET_ACCESS_KEY: 'k', SEMGREP_RULES: '/opt/rules' };
      const { said, tools, tree } = await found(
        (fakes) => fakes.add(name, report, { exitCode, version: '2.3.4' }),
        { files: GO, environment: secret },
      );
      expect(leadsOf(said)).toContainEqual(
        typeof lead === 'string' ? lead : expect.stringMatching(lead),
      );
      expect(said.leads.every(({ origin }) => origin === 'found')).toBe(true);
      expect(said.analyzers).toMatchObject([
        { name, version: '2.3.4', origin: 'found', status: 'done', leads: said.leads.length },
      ]);
      expect(said.incomplete).toEqual([]);
      const [call, ...more] = tools.calls();
      expect(more).toEqual([]);
      for (const flag of ISOLATION[name] ?? []) expect(call?.args).toContain(flag);
      expect(call?.environment).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
      expect(call?.environment['HTTPS_PROXY']).toBe('http://127.0.0.1:9');
      // Only Go's tools have to stand in the copy.
      expect(call?.cwd === tree).toBe(name === 'golangci-lint');
    },
  );

  test('has its test: each of them is in the table above', () => {
    expect(Object.keys(ISOLATION).toSorted()).toEqual([...FOUND_TOOL_NAMES].toSorted());
  });

  test('is not started without consent, nor for a consent that names another', async () => {
    for (const consent of [[], ['analyzers:bandit']]) {
      const { said, tools } = await found((fakes) => fakes.add('ruff', 'ruff.json'), { consent });
      expect(tools.calls()).toEqual([]);
      expect(said.leads).toEqual([]);
      expect(said.incomplete).toEqual([]);
    }
  });

  test('that lies in the audited repository is none: a repository names no program', async () => {
    const home = await temporaryFolder();
    const tools = await createFakeTools(home);
    await tools.add('ruff', 'ruff.json');
    expect([...findTools(tools.folder, home).keys()]).toEqual([]);
    expect([...findTools(`bin:${tools.folder}`, join(home, 'other')).keys()]).toEqual(['ruff']);
  });

  test('that is not there is no error, and is told where it was named', async () => {
    const nothing = async (): Promise<void> => undefined;
    expect((await found(nothing)).said).toEqual(NOTHING);
    const { said } = await found(nothing, { consent: ['analyzers:ruff'] });
    expect(said).toMatchObject({
      analyzers: [{ name: 'ruff', status: 'failed', leftOut: [{ reason: 'it is not on PATH' }] }],
      incomplete: [],
    });
  });

  test('with nothing to look at is not started', async () => {
    const { tools, said } = await found((fakes) => fakes.add('ruff', 'ruff.json'), {
      files: { 'a.js': 'a();\n' },
    });
    expect([tools.calls(), said]).toEqual([[], NOTHING]);
  });

  test.each([
    ['hangs', /^ruff did not check 1 file: it was ended after 3 s\.$/],
    ['garbage', /^ruff did not check 1 file: what it wrote is no report that can be read\.$/],
    ['other-json', /no report that can be read/],
    ['cut', /no report that can be read/],
    ['silent', /it wrote no report/],
    ['too-much', /it wrote more than 200000 bytes/],
    ['dies', /a signal ended it \(SIGKILL\)/],
    ['fails', /it ended with code 2: error: unknown flag \\u\{1b\}\[31m--isolated/],
  ])(
    'that %s is told in a sentence, the others go on, and its files count as unchecked',
    async (how, says) => {
      const { said } = await found(async (fakes) => {
        await fakes.addBad('ruff', how);
        await fakes.add('shellcheck', 'shellcheck.json', { exitCode: 1 });
      });
      expect(said.incomplete).toEqual([expect.stringMatching(says)]);
      expect(said.analyzers).toMatchObject([
        { name: 'ruff', status: 'failed', files: 0, unchecked: ['tools/load.py'] },
        { name: 'shellcheck', status: 'done', files: 1 },
      ]);
      const covers = createOtherCoverage(said);
      expect(covers({ path: 'tools/load.py', language: 'Python' }, 'correctness')).toBe(false);
      expect(covers({ path: 'scripts/deploy.sh', language: 'Shell' }, 'correctness')).toBe(true);
      expect(covers({ path: 'scripts/deploy.sh', language: 'Shell' }, 'performance')).toBe(false);
    },
  );

  test('that would obey the repository, or needs the network, is not run; that matters where it was named', async () => {
    const files = { ...FILES, '.gitleaksignore': 'tools/load.py:generic-api-key:5\n' };
    const prepare = async (fakes: FakeTools): Promise<void> => {
      for (const name of ['gitleaks', 'semgrep', 'golangci-lint']) await fakes.add(name);
    };
    const any = await found(prepare, { files });
    expect(any.tools.calls()).toEqual([]);
    expect(any.said.incomplete).toEqual([]);
    expect(any.said.analyzers.map(({ name, leftOut }) => [name, leftOut?.[0]?.reason])).toEqual([
      ['semgrep', expect.stringContaining('its rules come from the network')],
      ['gitleaks', expect.stringContaining('it would obey')],
      ['golangci-lint', expect.stringContaining('it needs a go.mod')],
    ]);
    const named = await found(prepare, { files, consent: ['analyzers:gitleaks'] });
    expect(named.said.incomplete).toEqual([
      expect.stringMatching(/^gitleaks was not run: it would obey/),
    ]);
  });

  test('semgrep takes no rules out of the repository', async () => {
    const root = await temporaryFolder();
    const environment = { SEMGREP_RULES: join(root, 'rules') };
    const { tools } = await found((fakes) => fakes.add('semgrep', 'semgrep.json'), {
      environment,
      root,
    });
    expect(tools.calls()).toEqual([]);
  });

  test('finds a secret, and nobody quotes it', async () => {
    const { said } = await found(async (fakes) => {
      await fakes.add('gitleaks', 'gitleaks.json');
      await fakes.add('ruff', 'ruff.json');
    });
    expect(said.leads.length).toBeGreaterThan(2);
    expect(JSON.stringify(said)).not.toContain('hunter2');
  });
});

/** A key that opens nothing, put together here so that no scanner trips over this file. */
export const PLANTED_TOKEN = ['ghp', '0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uVwXy'].join('_');

/** A small project with one secret, one `eval` and one file that does not parse. */
export const FLAWED_PROJECT: Readonly<Record<string, string>> = {
  'README.md': '# A project\n',
  'src/run.js': 'export const run = (text) => eval(text);\n',
  'src/broken.js': 'export const broken = (;\n',
  'src/settings.py': `# Settings\nTOKEN = "${PLANTED_TOKEN}"\n`,
  'src/fine.js': 'export const two = 2;\n',
};

/**
 * Files of which an agent gets one packet each: any two together are over what a packet may hold.
 * Plain text, so that nothing has to be parsed.
 */
export const packetFiles = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `part-${String(index + 1).padStart(2, '0')}`;
      const lines = Array.from(
        { length: 800 },
        (__, line) =>
          `${name}, sentence ${line + 1}: ${'a plain word and one more '.repeat(3)}end.`,
      );
      return [`${name}/notes.txt`, `${lines.join('\n')}\n`];
    }),
  );

/** One lens, so that a file is one task, and nothing that is asked after the review. */
export const ONE_LENS = ['--lenses', 'security', '--no-narrative'] as const;

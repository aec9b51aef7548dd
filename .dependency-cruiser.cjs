/**
 * The order of the rooms. Imports look only down this table, types included. ARCHITECTURE.md shows
 * the same table to people; test/architecture/rooms.test.ts compares the two, and proves with a
 * seeded import for every pair of rooms that each rule reports what it is for.
 *
 * A room may import itself and the rooms named, nothing else of ours.
 */
const rooms = {
  std: [],
  domain: ['std'],
  machines: ['std', 'domain'],
  scheduler: ['std', 'domain'],
  decider: ['std', 'domain', 'machines', 'scheduler'],
  pipeline: ['std', 'domain'],
  rules: ['std', 'domain', 'pipeline'],
  projections: ['std', 'domain'],
  reporters: ['std', 'domain', 'projections'],
  // ---- no I/O above, the shell below ----
  platform: ['std', 'domain'],
  store: ['std', 'domain', 'platform'],
  analyzers: ['std', 'domain', 'platform', 'pipeline', 'rules'],
  providers: ['std', 'domain', 'platform', 'pipeline'],
  engine: [
    ...['std', 'domain', 'decider', 'scheduler', 'pipeline', 'platform', 'store'],
    ...['analyzers', 'providers', 'projections', 'reporters'],
  ],
  inspector: [
    ...['std', 'domain', 'machines', 'decider', 'projections', 'reporters', 'platform', 'store'],
  ],
  cli: [
    ...['std', 'domain', 'machines', 'scheduler', 'decider', 'pipeline', 'rules', 'projections'],
    ...['reporters', 'platform', 'store', 'analyzers', 'providers', 'engine', 'inspector'],
  ],
};

/** What the inspector's page runs in a browser: nothing of Node at all. */
const browser = ['std', 'domain', 'machines', 'scheduler', 'decider', 'projections'];
/** No I/O. A stage or a reporter may take digests from Node, since it runs only there. */
const digesting = ['pipeline', 'rules', 'reporters'];

const at = (room) => (room === 'machines' ? '^machines/' : `^src/${room}/`);
const ours = '^(src|machines)/';

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, below]) => ({
      name: `${room}-looks-only-down`,
      comment: `${room} may import ${['itself', ...below].join(', ')}: move the code, or pass it in as data or as a function`,
      severity: 'error',
      from: { path: at(room) },
      to: { path: ours, pathNot: [room, ...below].map(at) },
    })),
    {
      name: 'browser-rooms-know-no-node',
      comment:
        'these rooms run in a browser too: take a digest from std/digest.ts, the rest as data',
      severity: 'error',
      from: { path: browser.map(at) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-rooms-do-no-io',
      comment: 'of Node a stage or a reporter may use only digests: the shell reads and writes',
      severity: 'error',
      from: { path: digesting.map(at) },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'only-machines-and-lifecycle-know-xstate',
      comment: 'ask src/decider/lifecycle.ts: the charts have one door',
      severity: 'error',
      from: { path: ours, pathNot: ['^machines/', '^src/decider/lifecycle\\.ts$'] },
      to: { path: 'node_modules/xstate/' },
    },
    {
      name: 'one-file-starts-processes',
      comment: 'ask src/platform/subprocess.ts: limits, kill ladder and exit report live there',
      severity: 'error',
      from: { path: ours, pathNot: '^src/platform/subprocess\\.ts$' },
      to: { path: ['^(node:)?(child_process|cluster)$', 'node_modules/execa/'] },
    },
    {
      name: 'no-cycles',
      comment: 'of two files that need each other, a third one holds what both need',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'source-never-imports-tests',
      comment: 'what the program needs lives in src',
      severity: 'error',
      from: { path: ours },
      to: { path: '^(test|fixtures|bench|scripts)/' },
    },
    {
      name: 'source-runs-without-tools',
      comment: 'a devDependency is not there where casefile is installed',
      severity: 'error',
      from: { path: ours },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every-import-resolves',
      comment: 'name an existing file with its .ts ending, or install the package',
      severity: 'error',
      from: { path: ours },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  },
};

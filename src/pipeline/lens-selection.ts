import type { BundledLens, FileRole } from '../domain/vocabulary.ts';
import type { InventoryFile } from './inventory.ts';

/**
 * The points of view from which an agent reads a file of each role. Security stands everywhere: a
 * password can be in any text file. (Analyzers are not asked by role; they say what they cover.)
 */
export const LENSES_OF_ROLE: Readonly<Record<FileRole, ReadonlySet<BundledLens>>> = {
  code: new Set([
    'security',
    'correctness',
    'reliability',
    'data_integrity',
    'performance',
    'operability',
    'observability',
    'maintainability',
    'architecture',
  ]),
  test: new Set(['security', 'correctness', 'maintainability', 'tests']),
  config: new Set(['security', 'correctness', 'reliability', 'operability', 'config_deployment']),
  prose: new Set(['security', 'maintainability']),
  style: new Set(['security', 'correctness', 'performance', 'maintainability']),
  data: new Set(['security', 'data_integrity']),
};

type Named = Pick<InventoryFile, 'path' | 'language'>;

/** Many stages ask for the role of the same file. */
const known = new WeakMap<Named, FileRole>();

export const roleOf = (file: Named): FileRole => {
  const before = known.get(file);
  if (before !== undefined) return before;
  const role = deriveRole(file);
  known.set(file, role);
  return role;
};

const deriveRole = (file: Named): FileRole => {
  const path = file.path.toLowerCase();
  if (PROSE.has(file.language)) return 'prose';
  if (STYLE.has(file.language)) return 'style';
  if (DATA.has(file.language)) return 'data';
  if (CONFIG.has(file.language) || CONFIG_NAME.test(path)) return 'config';
  return TEST_PATH.test(path) ? 'test' : 'code';
};

/** Whole folders named for tests, and the usual endings; `inspector.ts` and `latest.js` are code. */
const TEST_PATH =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e)\/|(?:[._-](?:test|spec|tests|specs)|test-d)\.[a-z0-9]+$|(?:^|\/)test_[^/]*\.py$/;
const CONFIG_NAME =
  /(?:^|\/)(?:\.env[^/]*|\.github\/.*|dockerfile[^/]*|makefile|jenkinsfile|[^/]*\.config\.[cm]?[jt]s|\.[a-z-]+rc(?:\.[a-z]+)?|\.[a-z-]+ignore)$/;
const PROSE = new Set(['Markdown', 'MDX', 'Text', 'reStructuredText', 'AsciiDoc', 'Org', 'TeX']);
const STYLE = new Set(['CSS', 'SCSS', 'Sass', 'Less', 'Stylus']);
const DATA = new Set(['CSV', 'TSV', 'SVG', 'GeoJSON', 'Jupyter Notebook']);
const CONFIG = new Set([
  'JSON',
  'JSON with Comments',
  'JSON5',
  'YAML',
  'TOML',
  'INI',
  'XML',
  'Dotenv',
  'Java Properties',
  'Dockerfile',
  'HCL',
  'Nix',
  'Makefile',
  'EditorConfig',
  'Git Config',
  'Git Attributes',
  'Go Module',
  'Go Workspace',
  'Ignore List',
  'npm Config',
]);

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { agreementOf, readFolder, sayFigures } from '../../helpers/graph-oracle.ts';
import { graphOf } from '../../helpers/import-graph-of.ts';

/** Asked of Python itself: its own parser finds the imports, and files are looked for on the disk. */
const ORACLE = `
import ast, json, os, sys, sysconfig
root = sysconfig.get_paths()["stdlib"]
skip = {"site-packages", "test", "tests", "idlelib", "lib2to3", "turtledemo", "__pycache__", "pydoc_data", "encodings"}
def module(place):
    for suffix in ("/__init__.py", ".py"):
        if os.path.isfile(root + "/" + place + suffix): return place + suffix
def targets(base, names):
    own = module(base)
    out = []
    for name in names:
        inner = module(base + "/" + name) if name != "*" and (own is None or own.endswith("__init__.py")) else None
        if inner or own: out.append(inner or own)
    return out
pairs, files, asked = [], [], []
for folder, folders, found in os.walk(root):
    folders[:] = sorted(f for f in folders if f not in skip and not f.startswith("config-"))
    for file in sorted(found):
        path = os.path.relpath(folder + "/" + file, root)
        if not file.endswith(".py"): continue
        files.append(path)
        if os.path.getsize(root + "/" + path) > 40000: continue
        try: tree = ast.parse(open(root + "/" + path, "rb").read())
        except SyntaxError: continue
        asked.append(path)
        here = os.path.dirname(path).split("/") if os.path.dirname(path) else []
        for node in ast.walk(tree):
            found_here = []
            if isinstance(node, ast.Import):
                found_here = [module(alias.name.replace(".", "/")) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
                base = here[: len(here) - node.level + 1] if node.level else []
                inner = node.module.split(".") if node.module else []
                found_here = targets("/".join(base + inner), [alias.name for alias in node.names])
            pairs += [[path, to] for to in found_here if to and to != path]
json.dump({"root": root, "files": files, "asked": asked, "pairs": pairs}, sys.stdout)
`;

const askPython = (): string | undefined => {
  try {
    return execFileSync('python3', ['-c', ORACLE], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
};

const answer = askPython();

test.skipIf(answer === undefined)(
  "on Python's own library, the graph is the one that its parser sees",
  async () => {
    const { root, files, asked, pairs } = JSON.parse(answer ?? '') as {
      root: string;
      files: string[];
      asked: string[];
      pairs: [string, string][];
    };
    // Long files are in the tree and are not parsed, which takes most of the time.
    const parsed = new Set(asked);
    const texts = readFolder(root, /\.py$/);
    const tree = Object.fromEntries(
      files.map((path) => [path, parsed.has(path) ? (texts[path] ?? '') : '']),
    );
    const { edges } = await graphOf(tree);
    const expected = new Set(
      pairs.filter(([, to]) => to in tree).map(([from, to]) => `${from} ${to}`),
    );
    const found = new Set(edges.map(({ from, to }) => `${from} ${to}`));
    const { invented, missed, ...figures } = agreementOf(found, expected);
    sayFigures('python', asked.length, figures);
    expect(invented.slice(0, 20)).toEqual([]);
    expect(missed.slice(0, 20)).toEqual([]);
    expect(figures.precision).toBeGreaterThanOrEqual(0.98);
    expect(figures.recall).toBeGreaterThanOrEqual(0.98);
  },
);

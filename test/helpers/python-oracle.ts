import { execFileSync } from 'node:child_process';

/** Asked of Python itself: its own parser finds the imports, and files are looked for on the disk. */
const ORACLE = `
import ast, json, os, sys, sysconfig
root = sysconfig.get_paths()["stdlib"]
size_most = int(sys.argv[1])
skip = {"site-packages", "dist-packages", "test", "tests", "idlelib", "lib2to3", "turtledemo", "__pycache__", "pydoc_data", "encodings"}
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
        if os.path.getsize(root + "/" + path) > size_most: continue
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

export type PythonGraph = {
  /** The folder of Python's own library. */
  readonly root: string;
  readonly files: readonly string[];
  /** Those that were parsed. */
  readonly asked: readonly string[];
  readonly pairs: readonly (readonly [from: string, to: string])[];
};

/**
 * Which file of Python's own library leads to which, by its own parser.
 *
 * @param bytesMost longer files are in the tree and are not parsed, which takes most of the time.
 * @returns undefined where there is no Python.
 */
export const pythonGraph = (bytesMost: number): PythonGraph | undefined => {
  try {
    const told = execFileSync('python3', ['-c', ORACLE, String(bytesMost)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(told) as PythonGraph;
  } catch {
    return undefined;
  }
};

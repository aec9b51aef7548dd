import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { createComponentOf } from '../../src/pipeline/components.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { readComponentManifest } from '../../src/pipeline/read-component-manifest.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';

const componentsOf = async (files: Readonly<Record<string, string>>) => {
  const inventory = await takeInventory(createSimulatedSourceTree(files));
  return deriveDisposition(inventory, { include: [], exclude: [] }).components ?? [];
};

/** Root, kind and the workspace that counts it in. */
const brief = async (files: Readonly<Record<string, string>>) =>
  (await componentsOf(files)).map(({ id, kind, workspace }) => [id, kind, workspace]);

describe('the components of a tree', () => {
  test('npm and yarn workspaces, with what they take away', async () => {
    expect(
      await brief({
        'package.json': '{"name":"top","workspaces":["packages/*","!packages/old"]}',
        'packages/a/package.json': '{"name":"@x/a"}',
        'packages/old/package.json': '{}',
        'examples/b/package.json': '{}',
        'node_modules/c/package.json': '{}',
      }),
    ).toEqual([
      ['.', 'npm', undefined],
      ['examples/b', 'npm', undefined],
      ['packages/a', 'npm', 'package.json'],
      ['packages/old', 'npm', undefined],
    ]);
  });

  test('pnpm, Cargo, Go, uv', async () => {
    expect(
      await brief({
        'js/pnpm-workspace.yaml': "packages:\n  - 'apps/**'\n",
        'js/apps/x/y/package.json': '{}',
        'rust/Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/not"]\n',
        'rust/crates/a/Cargo.toml': '[package]\nname = "a"\n',
        'rust/crates/not/Cargo.toml': '[package]\nname = "not"\n',
        'go/go.work': 'go 1.22\nuse (\n\t./svc // one\n)\nuse ./tool\n',
        'go/svc/go.mod': 'module example.com/svc\n',
        'go/tool/go.mod': 'module example.com/tool\n',
        'py/pyproject.toml': '[project]\nname = "top"\n[tool.uv.workspace]\nmembers = ["libs/*"]\n',
        'py/libs/one/pyproject.toml': '[project]\nname = "one"\n',
        'py/settings/pyproject.toml': '[tool.black]\nline-length = 100\n',
      }),
    ).toEqual([
      ['go/svc', 'go', 'go/go.work'],
      ['go/tool', 'go', 'go/go.work'],
      ['js/apps/x/y', 'npm', 'js/pnpm-workspace.yaml'],
      ['py', 'python', undefined],
      ['py/libs/one', 'python', 'py/pyproject.toml'],
      ['rust/crates/a', 'cargo', 'rust/Cargo.toml'],
      ['rust/crates/not', 'cargo', undefined],
    ]);
  });

  test('Maven modules and Gradle projects, those without a file of their own too', async () => {
    expect(
      await brief({
        'm/pom.xml':
          '<project><parent><artifactId>p</artifactId></parent><artifactId>top</artifactId><modules><!-- <module>no</module> --><module>core</module></modules></project>',
        'm/core/pom.xml': '<project><artifactId>core</artifactId></project>',
        'm/no/A.java': 'class A {}\n',
        'g/settings.gradle.kts': 'include(\n  ":app",\n  ":lib:core",\n)\ninclude(":nowhere")\n',
        'g/app/build.gradle.kts': 'plugins {}\n',
        'g/lib/core/src/A.kt': 'class A\n',
      }),
    ).toEqual([
      ['g/app', 'gradle', 'g/settings.gradle.kts'],
      ['g/lib/core', 'gradle', 'g/settings.gradle.kts'],
      ['m', 'maven', undefined],
      ['m/core', 'maven', 'm/pom.xml'],
    ]);
  });

  test('names are the manifests\u2019 own, and a folder with several manifests is one component', async () => {
    expect(
      await componentsOf({ 'a/package.json': '{"name":"a"}', 'a/Cargo.toml': '[package]\n' }),
    ).toEqual([{ id: 'a', root: 'a', kind: 'npm', manifest: 'a/package.json', name: 'a' }]);
  });

  test('a file belongs to the innermost component around it', () => {
    const of = createComponentOf([
      { id: '.', root: '', kind: 'npm', manifest: 'package.json' },
      { id: 'a', root: 'a', kind: 'npm', manifest: 'a/package.json' },
    ]);
    expect(['x.js', 'a/x.js', 'a/b/c.js', 'ab/x.js'].map((path) => of(path)?.id)).toEqual([
      ...['.', 'a', 'a', '.'],
    ]);
  });

  test('a manifest that does not parse is none, and nothing that it holds makes it fail', () => {
    const names = ['package.json', 'Cargo.toml', 'pnpm-workspace.yaml', 'go.work', 'pom.xml'];
    const more = ['settings.gradle', 'pyproject.toml', 'go.mod', 'composer.json'];
    const word = fc.constantFrom('{', '}', '[', ']', '"a"', ':', '<module>', 'include', '&a', '*a');
    fc.assert(
      fc.property(
        fc.constantFrom(...names, ...more),
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
          fc.json(),
        ),
        (name, text) => void readComponentManifest(name, text),
      ),
    );
    expect(readComponentManifest('package.json', '{')).toBeUndefined();
  });
});

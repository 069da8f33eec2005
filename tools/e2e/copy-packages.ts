import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';

const { root } = workspacePaths;

interface Manifest {
  name: string;
  files: readonly string[];
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Copies built packages of the workspace as npm would unpack them, and links the packages from the registry that their
 * manifests name. An import that no manifest names fails.
 *
 * @param modules the `node_modules` folder to fill
 * @param folders of the packages, relative to the workspace, e.g. `libs/search`
 * @param without names of packages that are not linked
 */
export function copyPackages(
  modules: string,
  folders: readonly string[],
  { without = [] }: { without?: readonly string[] } = {},
): void {
  for (const folder of folders) {
    const source = path.join(root, folder);
    const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as Manifest;
    const target = path.join(modules, manifest.name);
    for (const name of ['package.json', ...manifest.files.filter((file) => !file.startsWith('!'))])
      if (existsSync(path.join(source, name)))
        cpSync(path.join(source, name), path.join(target, name), { recursive: true });
    const linked = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
      (name) => !name.startsWith('@claude-mem/') && !without.includes(name),
    );
    for (const name of linked) linkPackage(modules, name);
  }
}

function linkPackage(modules: string, name: string): void {
  const [source, target] = [path.join(root, 'node_modules', name), path.join(modules, name)];
  if (!existsSync(source) || existsSync(target)) return;
  mkdirSync(path.dirname(target), { recursive: true });
  symlinkSync(source, target);
}

/** Copies the SQLite driver without its sources and intermediate files. */
export function copySqlite(modules: string): void {
  for (const name of ['better-sqlite3', 'better-sqlite3-n22', 'bindings', 'file-uri-to-path']) {
    const source = path.join(root, 'node_modules', name);
    if (!existsSync(source)) continue;
    cpSync(source, path.join(modules, name), {
      recursive: true,
      filter: (file) =>
        !/better-sqlite3[^/]*\/(deps|src|build\/Release\/(obj|obj\.target|sqlite3\.a|test_extension\.node))(\/|$)/.test(
          file,
        ),
    });
  }
}

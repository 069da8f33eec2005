import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../workspace.mjs';

const SOURCE = '@claude-mem/source';

/** Returns the exported names of each entry point of the published libraries: values and types, sorted. */
export function listExports() {
  const entries = readdirSync(path.join(root, 'libs')).flatMap((folder) =>
    entriesOf(path.join(root, 'libs', folder)),
  );
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, 'tsconfig.base.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { ...options, composite: false, noEmit: true },
  );
  const checker = program.getTypeChecker();
  return entries.map(({ name, file }) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
    return {
      name,
      exports: checker
        .getExportsOfModule(symbol)
        .map((exported) => exported.name)
        .sort(),
    };
  });
}

function entriesOf(folder) {
  const {
    name,
    private: isPrivate,
    exports = {},
  } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (isPrivate) return [];
  return Object.entries(exports)
    .filter(([entry, target]) => target[SOURCE] !== undefined && !entry.endsWith('/testing'))
    .map(([entry, target]) => ({
      name: path.posix.join(name, entry),
      file: path.join(folder, target[SOURCE]),
    }));
}

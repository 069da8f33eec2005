// Bundles one entry of an app into one file: node tools/bundle.mjs ENTRY OUTFILE [--cjs] [--program] [--leave-out=A,B]
// Packages left out are never loaded; a missing one would only show when it is.
import { renameSync } from 'node:fs';
import { build } from 'esbuild';

const [entry, outfile, ...flags] = process.argv.slice(2);
const isCommonJs = flags.includes('--cjs');
const isProgram = flags.includes('--program');
const leftOut =
  flags
    .find((flag) => flag.startsWith('--leave-out='))
    ?.slice('--leave-out='.length)
    .split(',') ?? [];
await build({
  entryPoints: [entry],
  // programs that run at this moment keep the file they began with
  outfile: `${outfile}.new`,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: isCommonJs ? 'cjs' : 'esm',
  conditions: ['@claude-mem/source'],
  external: ['better-sqlite3', 'better-sqlite3-n22', ...leftOut],
  minify: isCommonJs,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
  banner: {
    js: [
      isProgram ? '#!/usr/bin/env node' : '',
      isCommonJs
        ? ''
        : "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    ]
      .filter(Boolean)
      .join('\n'),
  },
});
renameSync(`${outfile}.new`, outfile);

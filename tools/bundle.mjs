// Bundles one entry of an app: node tools/bundle.mjs ENTRY OUTFILE [--cjs] [--program] [--split] [--leave-out=A,B]
// Packages left out are never loaded; a missing one would only show when it is. With --split, what is imported later
// lies in files of its own in chunks/ beside OUTFILE, so that a start neither reads nor keeps it.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const [entry, outfile, ...flags] = process.argv.slice(2);
const isCommonJs = flags.includes('--cjs');
const isProgram = flags.includes('--program');
const isSplit = flags.includes('--split');
const leftOut =
  flags
    .find((flag) => flag.startsWith('--leave-out='))
    ?.slice('--leave-out='.length)
    .split(',') ?? [];
const folder = path.dirname(outfile);
// programs that run at this moment keep the file they began with
const fresh = `${path.basename(outfile, '.js')}.new`;
const { metafile } = await build({
  entryPoints: [{ in: entry, out: fresh }],
  outdir: folder,
  chunkNames: 'chunks/[name]-[hash]',
  splitting: isSplit,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: isCommonJs ? 'cjs' : 'esm',
  conditions: ['@claude-mem/source'],
  external: ['better-sqlite3', 'better-sqlite3-n22', '@anthropic-ai/claude-agent-sdk', ...leftOut],
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
renameSync(path.join(folder, `${fresh}.js`), outfile);
if (isSplit) removeOldChunks(path.join(folder, 'chunks'), new Set(Object.keys(metafile.outputs).map(nameOf)));

/** A program that still runs may import the chunks it was built with for a while. */
function removeOldChunks(chunks, current) {
  const DAY_MS = 24 * 60 * 60 * 1000;
  for (const name of existsSync(chunks) ? readdirSync(chunks) : []) {
    const file = path.join(chunks, name);
    if (!current.has(name) && Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file);
  }
}

function nameOf(file) {
  return path.basename(file);
}

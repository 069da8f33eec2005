// Bundles one entry of an app: node tools/bundle.mjs ENTRY OUTFILE [--cjs] [--program] [--split] [--leave-out=A,B]
// Packages left out are never loaded; a missing one would only show when it is. With --split, what is imported later
// lies in files of its own in chunks/ beside OUTFILE, so that a start neither reads nor keeps it.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
const { metafile, outputFiles } = await build({
  entryPoints: [{ in: entry, out: fresh }],
  outdir: folder,
  chunkNames: 'chunks/[name]-[hash]',
  splitting: isSplit,
  metafile: true,
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: isCommonJs ? 'cjs' : 'esm',
  conditions: ['@claude-mem/source'],
  external: [
    'better-sqlite3',
    'better-sqlite3-n22',
    '@anthropic-ai/claude-agent-sdk',
    '@huggingface/transformers',
    ...leftOut,
  ],
  // V8 keeps the text of a program as long as it runs: a worker's is a megabyte less without what is for people
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: isCommonJs,
  // places in stack traces
  lineLimit: 160,
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
for (const { path: file, text } of outputFiles) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, inAscii(text));
}
renameSync(path.join(folder, `${fresh}.js`), outfile);
if (isSplit) removeOldChunks(path.join(folder, 'chunks'), new Set(Object.keys(metafile.outputs).map(nameOf)));

/** One letter beyond Latin in it, and V8 keeps two bytes for each. esbuild leaves them in regular expressions. */
function inAscii(text) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) throw new Error('String.raw can hold only ASCII in a bundle');
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A program that still runs may import the chunks it was built with for a while. The mark says since when nothing new
 * needs a chunk: its own time says only when it was built.
 */
function removeOldChunks(chunks, current) {
  const DAY_MS = 24 * 60 * 60 * 1000;
  for (const name of existsSync(chunks) ? readdirSync(chunks) : []) {
    if (name.endsWith('.old')) continue;
    const file = path.join(chunks, name);
    const mark = `${file}.old`;
    if (current.has(name)) rmSync(mark, { force: true });
    else if (!existsSync(mark)) writeFileSync(mark, '');
    else if (Date.now() - statSync(mark).mtimeMs > DAY_MS) for (const gone of [file, mark]) rmSync(gone);
  }
}

function nameOf(file) {
  return path.basename(file);
}

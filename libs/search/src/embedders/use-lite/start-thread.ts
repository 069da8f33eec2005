import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { ThreadData } from './use-lite-thread.js';

/**
 * Starts the thread from the file of its module. When it runs from TypeScript sources, the module is first bundled in
 * memory by esbuild.
 */
export async function startThread(data: ThreadData): Promise<Worker> {
  const { THREAD_URL } = await import('./use-lite-thread.js');
  if (THREAD_URL === import.meta.url) {
    throw new Error('its thread has no file of its own: let the bundler split what is imported dynamically');
  }
  const options: WorkerOptions = { workerData: data, execArgv: [], name: 'use-lite' };
  if (!THREAD_URL.endsWith('.ts')) return new Worker(new URL(THREAD_URL), options);
  return new Worker(await bundleInMemory(fileURLToPath(THREAD_URL)), options);
}

async function bundleInMemory(file: string): Promise<URL> {
  const name = 'esbuild';
  const { build } = (await import(name)) as {
    build(options: object): Promise<{ outputFiles: { text: string }[] }>;
  };
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  });
  return new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const conditions = ['@claude-mem/source'];
const root = import.meta.dirname;
const folders = ['libs', 'apps'].flatMap((parent) =>
  readdirSync(`${root}/${parent}`).map((name) => `${parent}/${name}`),
);

const isFullRun = process.env['CLAUDE_MEM_FULL_TESTS'] === '1';

export default defineConfig({
  test: {
    // most tests wait for another process, so more files than cores can run at the same time
    maxWorkers: 2 * availableParallelism(),
    projects: [...folders, 'tools']
      .filter((folder) => existsSync(`${root}/${folder}/package.json`))
      .map((folder) => ({
        root: `${root}/${folder}`,
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          name: String(JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8')).name),
          globalSetup: [`${root}/tools/e2e/sentinel-home.ts`],
          include: ['**/*.test.{ts,tsx}'],
          // a process for each file would cost more than most tests; a test restores what it changes
          isolate: false,
          // the browser tests share one browser per process
          ...(folder === 'tools' && { environment: `${root}/tools/e2e/end-of-tests.ts` }),
          // generous limits: no test measures time, and the machine may be busy
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          exclude: [
            '**/node_modules/**',
            '**/dist/**',
            '**/out-tsc/**',
            ...(isFullRun ? [] : ['**/*.full.test.ts']),
          ],
        },
      })),
    reporters: ['default', './tools/test-reporter.mjs'],
  },
});

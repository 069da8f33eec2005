import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const conditions = ['@claude-mem/source'];
const root = import.meta.dirname;
const folders = ['libs', 'apps'].flatMap((parent) =>
  readdirSync(`${root}/${parent}`).map((name) => `${parent}/${name}`),
);

export default defineConfig({
  test: {
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
          // a process and all imports for each file cost more than most of the tests; what a test changes it puts back
          isolate: false,
          // its files share a browser
          ...(folder === 'tools' && { environment: `${root}/tools/e2e/end-of-tests.ts` }),
          // what a host is promised of its hooks is a time: nothing else runs beside them
          ...(folder === 'apps/hooks-cli' && { maxWorkers: 1, sequence: { groupOrder: 1 } }),
          // real processes on a busy machine; nothing is timed
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // ends with the state it waits for, which takes more than the second of its default on a busy machine
          expect: { poll: { timeout: 20_000 } },
          exclude: ['**/node_modules/**', '**/dist/**', '**/out-tsc/**'],
        },
      })),
    reporters: ['default', './tools/count-reporter.mjs'],
  },
});

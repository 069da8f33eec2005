import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TestSequencer } from './tools/test-sequencer.mjs';

const conditions = ['@claude-mem/source'];
const isFullRun = process.env['CLAUDE_MEM_FULL_TESTS'] === '1';

// one project for all packages: Vitest ends a process whenever the next test file belongs to another project
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // many tests wait for another process, so more files than cores can run at the same time
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // a process for each file would cost more than most tests; a test restores what it changes
    isolate: false,
    sequence: { sequencer: TestSequencer },
    globalSetup: ['./tools/e2e/sentinel-home.ts'],
    // the browser tests share one browser per process
    environment: './tools/e2e/end-of-tests.ts',
    include: ['**/*.test.{ts,tsx}'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/out-tsc/**',
      ...(isFullRun ? [] : ['**/*.full.test.ts']),
    ],
    // generous limits: no test measures time, and the machine may be busy
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', './tools/test-reporter.mjs'],
  },
});

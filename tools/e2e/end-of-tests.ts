import type { Environment } from 'vitest/runtime';

const AT_END = Symbol.for('claude-mem/at-end-of-tests');

/** Returns the list of resources that are disposed after the last test file of this process; null outside of tests. */
export function endOfTests(): AsyncDisposable[] | null {
  return (globalThis as { [AT_END]?: AsyncDisposable[] })[AT_END] ?? null;
}

/** A Node environment for tests with shared resources, which are disposed at the end. */
const environment: Environment = {
  name: 'node-with-an-end',
  viteEnvironment: 'ssr',
  setup(global) {
    const atEnd: AsyncDisposable[] = [];
    Object.assign(global, { [AT_END]: atEnd });
    return {
      async teardown() {
        for (const one of atEnd.toReversed()) await one[Symbol.asyncDispose]();
      },
    };
  },
};

export default environment;

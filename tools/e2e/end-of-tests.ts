import type { Environment } from 'vitest/runtime';

const AT_END = Symbol.for('claude-mem/at-end-of-tests');

/** What is disposed of once this process has run all its test files; null outside of tests. */
export function endOfTests(): AsyncDisposable[] | null {
  return (globalThis as { [AT_END]?: AsyncDisposable[] })[AT_END] ?? null;
}

/** The environment of tests that share what is dear to start: Node's, with an end. */
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

import { afterEach, beforeEach } from 'vitest';
import { createHome, PAYLOAD } from './hook-home.js';
import { fire, type HookRunner, type Installation, type RunOptions } from './hook-program.js';

/**
 * Provides one runner of the hook and an empty home for each test of the current suite.
 *
 * @param name name of the runner. `isFound` is false when this machine does not have the runner
 */
export function useHook(installation: Installation, name: string) {
  const found = installation.runners.find((runner) => runner.name === name);
  const runner = found as HookRunner;
  const home = {} as ReturnType<typeof createHome>;
  beforeEach(() => void Object.assign(home, createHome()));
  afterEach(() => home.remove());

  const run = (event: string, payload: string | Uint8Array = PAYLOAD, options: Partial<RunOptions> = {}) =>
    fire(runner, ['claude-code', event], payload, { env: home.env, ...options });
  /** Runs a hook that waits a minute for the worker. */
  const deliver: typeof run = (event, payload, options) =>
    run(event, payload, { hasLongTimeout: true, ...options });

  return { isFound: found !== undefined, isShell: found?.isShell ?? false, runner, home, run, deliver };
}

// Duplicate of the code in @claude-mem/core/testing. Scripts cannot import that module, because it requires Vitest.

/**
 * True in `npm run test:full`, false in `npm test`. Long tests are in files named `*.full.test.ts`, which only the full
 * run includes.
 */
export const isFullRun = process.env['CLAUDE_MEM_FULL_TESTS'] === '1';

/** Chooses a number of rounds, records or cases: small in `npm test`, large in `npm run test:full`. */
export function bySize({ quick, full }: { quick: number; full: number }): number {
  return isFullRun ? full : quick;
}

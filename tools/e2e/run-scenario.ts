import path from 'node:path';
import { createTempHome, runProgram, sharedFolder, workspacePaths } from '@claude-mem/testing';
import { expect } from 'vitest';

/**
 * Runs a program of this folder that reports problems, and verifies that it reports none.
 * @param args options by name, without the dashes
 */
export async function runScenario(
  program: string,
  args: Readonly<Record<string, string | number | true>>,
  { operands = [], timeoutMs = 110_000 }: { operands?: readonly string[]; timeoutMs?: number } = {},
): Promise<void> {
  await using home = await createTempHome();
  const shared = sharedFolder(process.env);
  const options = Object.entries(args).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const run = await runProgram(
    process.execPath,
    [path.join(workspacePaths.root, 'tools', 'e2e', program), ...options, ...operands],
    { cwd: home.root, env: { ...home.env, ...(shared && { CLAUDE_MEM_SHARED: shared }) }, timeoutMs },
  );
  expect(run.stdout, run.stderr).toContain('0 deviation(s)');
  expect(run.exit, run.stdout + run.stderr).toBe(0);
}

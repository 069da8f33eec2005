import path from 'node:path';
import { createTempHome, runProgram, workspacePaths } from '@claude-mem/testing';
import { MODEL_OBSERVERS, whyNotHere } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';

describe.each(MODEL_OBSERVERS)('a worker that asks %s', (observer) => {
  it.skipIf(whyNotHere(observer) !== null)(
    'P010: killed in the middle of a call, it loses and doubles nothing and leaves no child',
    async () => {
      await using home = await createTempHome();
      const program = path.join(workspacePaths.root, 'tools', 'e2e', 'kill9-provider.mjs');
      const run = await runProgram(process.execPath, [program, '--rounds', '3', '--provider', observer], {
        cwd: home.root,
        env: home.env,
        timeoutMs: 110_000,
      });
      expect(run.stdout).toContain('0 deviation(s)');
      expect(run.exit, run.stdout + run.stderr).toBe(0);
    },
    120_000,
  );
});

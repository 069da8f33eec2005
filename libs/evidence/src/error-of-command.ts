import type { ToolUsePayload } from '@claude-mem/core';
import { readCommandRun } from './command-runs.js';
import { createProjectTest } from './project-paths.js';

/**
 * Returns the error line of a failed command of the project. Returns null for other tools, for commands that did not
 * fail, and for incorrect calls.
 */
export function errorOfCommand(use: ToolUsePayload, projectRoot: string | null): string | null {
  const run = readCommandRun({ ...use, messageId: 0, createdAtEpoch: 0 }, 0, {
    isInProject: createProjectTest(projectRoot, use.cwd),
    isStashed: false,
  });
  return run?.outcome === 'failed' && !run.isUsageError && !run.isScratch ? run.error : null;
}

import type { ToolUsePayload } from '@claude-mem/core';
import { readCommandRun } from './command-runs.js';
import { createProjectTest } from './project-paths.js';

/**
 * The error line of a command of the project that failed. Null for other tools, for commands that did not fail, and for slips of the
 * agent.
 */
export function errorOfCommand(use: ToolUsePayload, projectRoot: string | null): string | null {
  const run = readCommandRun({ ...use, messageId: 0, createdAtEpoch: 0 }, 0, {
    isInProject: createProjectTest(projectRoot, use.cwd),
    isStashed: false,
  });
  return run?.outcome === 'failed' && !run.isSlip && !run.isScratch ? run.error : null;
}

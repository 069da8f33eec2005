import type { ObservedToolUse } from '@claude-mem/core';
import type { ObserverBatchFields } from '@claude-mem/core/testing';

/** Fields of a tool use for `createObserverBatch`. */
export type ToolUseFields = Partial<ObservedToolUse>;

/** Project folder of `createObserverBatch`. */
export const PROJECT_ROOT = '/home/dev/shop';

export const edit = (path: string, before: string, after: string): ToolUseFields => ({
  toolName: 'Edit',
  input: { file_path: `${PROJECT_ROOT}/${path}`, old_string: before, new_string: after },
  response: { filePath: `${PROJECT_ROOT}/${path}` },
});

export const read = (path: string, content = ''): ToolUseFields => ({
  toolName: 'Read',
  input: { file_path: `${PROJECT_ROOT}/${path}` },
  response: { type: 'text', file: { filePath: `${PROJECT_ROOT}/${path}`, content } },
});

export const bash = (command: string, stdout = '', more: ToolUseFields = {}): ToolUseFields => ({
  toolName: 'Bash',
  input: { command },
  response: { stdout, stderr: '', interrupted: false },
  ...more,
});

export const failed = (use: ToolUseFields, error: string): ToolUseFields => ({
  ...use,
  outcome: 'failed',
  response: null,
  error,
});

/** A command that exits with 1. */
export const failedBash = (command: string, output: string): ToolUseFields =>
  failed(bash(command), `Exit code 1\n${output}`);

/** A turn that fixes a function between a failed and a passed test run. */
export const CART_FIX: ObserverBatchFields = {
  prompt: 'The cart shows a wrong total, can you fix it?',
  toolUses: [
    read('src/cart.ts', 'export function totalOf() {}'),
    failedBash('npm test', 'src/cart.ts:12:5: error: expected 0.3, got 0.30000000000000004'),
    edit(
      'src/cart.ts',
      'export function totalOf() {\n  return a + b;\n}',
      'export function totalOf() {\n  return Math.round((a + b) * 100) / 100;\n}',
    ),
    bash('npm test', 'Tests: 12 passed, 12 total'),
  ],
  closing:
    'Perfect! All tests pass.\n\nThe total was wrong because `totalOf()` added floats. Fixed `totalOf()` in `src/cart.ts` to round to cents.\n\nWould you like me to commit this?',
};

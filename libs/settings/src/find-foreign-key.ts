import { OTHER_CLAUDE_MEM } from '@claude-mem/core';

/**
 * Keys that only the other program of the same name writes. It writes all its defaults when it starts first, so that each of
 * its versions leaves at least one of them.
 */
const FOREIGN_KEYS: readonly string[] = [
  'CLAUDE_MEM_CONTEXT_OBSERVATIONS',
  'CLAUDE_MEM_CONTEXT_FULL_COUNT',
  'CLAUDE_MEM_CONTEXT_SESSION_COUNT',
  'CLAUDE_MEM_PYTHON_VERSION',
  'CLAUDE_MEM_CLAUDE_AUTH_METHOD',
  'CLAUDE_MEM_FOLDER_CLAUDEMD_ENABLED',
];

/** The first key that shows that a settings file belongs to the other program; null when it is ours. */
export const findForeignKey = (keys: { has(key: string): boolean }): string | null =>
  FOREIGN_KEYS.find((key) => keys.has(key)) ?? null;

/** Why a settings file is not used: the same keys mean other things there, such as `claude` as the provider. */
export const describeForeignSettings = (file: string, key: string): string =>
  `${file} belongs to ${OTHER_CLAUDE_MEM}, because it contains ${key}. ` +
  'Move it to another folder, or set CLAUDE_MEM_DATA_DIR to a folder of your choice.';

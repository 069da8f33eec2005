import { OTHER_CLAUDE_MEM } from '@claude-mem/core';

/**
 * Keys that only the other program of the same name writes. It writes all its defaults at its first start, so each of its versions
 * writes at least one of these keys.
 */
const FOREIGN_KEYS: readonly string[] = [
  'CLAUDE_MEM_CONTEXT_OBSERVATIONS',
  'CLAUDE_MEM_CONTEXT_FULL_COUNT',
  'CLAUDE_MEM_CONTEXT_SESSION_COUNT',
  'CLAUDE_MEM_PYTHON_VERSION',
  'CLAUDE_MEM_CLAUDE_AUTH_METHOD',
  'CLAUDE_MEM_FOLDER_CLAUDEMD_ENABLED',
];

/** Returns a key that proves that the file belongs to the other program, or null. */
export const findForeignKey = (keys: { has(key: string): boolean }): string | null =>
  FOREIGN_KEYS.find((key) => keys.has(key)) ?? null;

/** The file is not used, because the same keys have other meanings there, such as the provider `claude`. */
export const describeForeignSettings = (file: string, key: string): string =>
  `${file} belongs to ${OTHER_CLAUDE_MEM}, because it contains ${key}. ` +
  'Move it to another folder, or set CLAUDE_MEM_DATA_DIR to a folder of your choice.';

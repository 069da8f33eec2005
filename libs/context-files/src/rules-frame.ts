/** Folder from which Cursor reads rules. */
export const RULES_FOLDER = '.cursor/rules';
export const RULES_PATH = `${RULES_FOLDER}/claude-mem-context.mdc`;

/** Front matter of a new rules file. Cursor ignores the file unless `alwaysApply` is a boolean. */
export const RULES_FRAME = `---
description: What claude-mem recorded in earlier sessions of this project
globs:
alwaysApply: true
---

`;

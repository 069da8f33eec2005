/** Where Cursor looks for rules. */
export const RULES_FOLDER = '.cursor/rules';
export const RULES_PATH = `${RULES_FOLDER}/claude-mem-context.mdc`;

/** What stands before our block in a new rules file; without `alwaysApply` as a real boolean Cursor ignores it. */
export const RULES_FRAME = `---
description: What claude-mem recorded in earlier sessions of this project
globs:
alwaysApply: true
---

`;

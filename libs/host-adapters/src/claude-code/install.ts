import { createHookInstaller } from '../config/create-hook-installer.js';
import { CLAUDE_CODE_HOOKS } from './events.js';

/** Our hooks in Claude Code's `settings.json`, of the person or of one project. */
export const claudeCodeInstaller = createHookInstaller({
  host: 'claude-code',
  hooks: CLAUDE_CODE_HOOKS,
  layout: {
    groupedUnder: 'hooks',
    write: ({ matcher, timeout }, command) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', command, timeout }],
    }),
  },
  configFolder: '.claude',
  configFile: 'settings.json',
});

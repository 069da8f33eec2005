import { createHookInstaller } from '../config/create-hook-installer.js';
import { GEMINI_CLI_HOOKS } from './events.js';

/** Our hooks in Gemini CLI's `settings.json`, of the person or of one project. */
export const geminiCliInstaller = createHookInstaller({
  host: 'gemini-cli',
  hooks: GEMINI_CLI_HOOKS,
  layout: {
    groupedUnder: 'hooks',
    write: ({ matcher, timeout }, command) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ name: 'claude-mem', type: 'command', command, timeout }],
    }),
  },
  configFolder: '.gemini',
  configFile: 'settings.json',
});

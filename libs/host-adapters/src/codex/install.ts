import { createHookInstaller } from '../config/create-hook-installer.js';
import { CODEX_HOOKS } from './events.js';

/** Our hooks in Codex's `hooks.json`, of the person or of one project. */
export const codexInstaller = createHookInstaller({
  host: 'codex',
  hooks: CODEX_HOOKS,
  layout: {
    groupedUnder: 'hooks',
    write: ({ timeout }, command) => ({ hooks: [{ type: 'command', command, timeout }] }),
  },
  configFolder: '.codex',
  configFile: 'hooks.json',
});

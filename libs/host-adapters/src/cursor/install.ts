import { createHookInstaller } from '../config/create-hook-installer.js';
import { CURSOR_HOOKS } from './events.js';

/** Our hooks in Cursor's `hooks.json`, of the person or of one project. */
export const cursorInstaller = createHookInstaller({
  host: 'cursor',
  hooks: CURSOR_HOOKS,
  layout: {
    // without it the host takes none of the file's hooks
    version: 1,
    write: (hook, command) => ({ command, timeout: hook.timeout }),
  },
  configFolder: '.cursor',
  configFile: 'hooks.json',
});

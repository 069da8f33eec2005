import { createHooksPart } from '../config/create-hooks-part.js';
import { createInstaller } from '../config/create-installer.js';
import { createMcpPart } from '../config/create-mcp-part.js';
import { STRICT_JSON } from '../config/json-grammar.js';
import { placeOf } from '../config/place-of.js';
import { CURSOR_HOOKS } from './events.js';

const FOLDER = '.cursor';
const FILE = 'hooks.json';

const hooks = createHooksPart({
  host: 'cursor',
  hooks: CURSOR_HOOKS,
  grammar: STRICT_JSON,
  layout: {
    // Without it, the host ignores all hooks of the file.
    version: 1,
    write: ({ timeout }, command) => ({ command, timeout }),
  },
  fileOf: placeOf(FOLDER, FILE),
});

/** Installs our hooks in Cursor's `hooks.json` and our MCP server in `mcp.json`, for the user or one project. */
export const cursorInstaller = {
  configFolder: FOLDER,
  configFile: FILE,
  ...createInstaller([hooks, createMcpPart({ grammar: STRICT_JSON, fileOf: placeOf(FOLDER, 'mcp.json') })]),
};

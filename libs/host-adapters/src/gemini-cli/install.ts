import { createHooksPart } from '../config/create-hooks-part.js';
import { createInstaller } from '../config/create-installer.js';
import { createMcpPart } from '../config/create-mcp-part.js';
import { JSON_WITH_COMMENTS } from '../config/json-grammar.js';
import { placeOf } from '../config/place-of.js';
import { GEMINI_CLI_HOOKS } from './events.js';

const FOLDER = '.gemini';
const FILE = 'settings.json';
const fileOf = placeOf(FOLDER, FILE);

const hooks = createHooksPart({
  host: 'gemini-cli',
  hooks: GEMINI_CLI_HOOKS,
  grammar: JSON_WITH_COMMENTS,
  layout: {
    groupedUnder: 'hooks',
    write: ({ matcher, timeout }, command) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ name: 'claude-mem', type: 'command', command, timeout }],
    }),
  },
  fileOf,
});

/** Installs our hooks and our MCP server in Gemini CLI's `settings.json`, for the user or one project. */
export const geminiCliInstaller = {
  configFolder: FOLDER,
  configFile: FILE,
  ...createInstaller([hooks, createMcpPart({ grammar: JSON_WITH_COMMENTS, fileOf })]),
};

import { createHooksPart } from '../config/create-hooks-part.js';
import { createInstaller } from '../config/create-installer.js';
import { createTomlMcpPart } from '../config/create-toml-mcp-part.js';
import { STRICT_JSON } from '../config/json-grammar.js';
import { placeOf } from '../config/place-of.js';
import { CODEX_HOOKS } from './events.js';

const FOLDER = '.codex';
const FILE = 'hooks.json';

const hooks = createHooksPart({
  host: 'codex',
  hooks: CODEX_HOOKS,
  grammar: STRICT_JSON,
  layout: {
    groupedUnder: 'hooks',
    write: ({ timeout }, command) => ({ hooks: [{ type: 'command', command, timeout }] }),
  },
  fileOf: placeOf(FOLDER, FILE),
});

/** Installs our hooks in Codex's `hooks.json` and our MCP server in `config.toml`, for the user or one project. */
export const codexInstaller = {
  configFolder: FOLDER,
  configFile: FILE,
  nextStep:
    'Codex runs no hook until you trust it: start codex and trust the hooks of claude-mem when it asks.',
  ...createInstaller([hooks, createTomlMcpPart({ fileOf: placeOf(FOLDER, 'config.toml') })]),
};

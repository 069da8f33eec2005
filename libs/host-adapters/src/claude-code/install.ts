import { join, resolve } from 'node:path';
import { createHooksPart } from '../config/create-hooks-part.js';
import { createInstaller } from '../config/create-installer.js';
import { createMcpPart } from '../config/create-mcp-part.js';
import { STRICT_JSON } from '../config/json-grammar.js';
import { placeOf } from '../config/place-of.js';
import type { HostPlace } from '../host-adapter.js';
import { CLAUDE_CODE_HOOKS } from './events.js';
import { findClaudeCodePlugin, findOtherClaudeCodePlugin } from './find-plugin.js';

const FOLDER = '.claude';
const FILE = 'settings.json';

const hooks = createHooksPart({
  host: 'claude-code',
  hooks: CLAUDE_CODE_HOOKS,
  grammar: STRICT_JSON,
  layout: {
    groupedUnder: 'hooks',
    write: ({ matcher, timeout }, command) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', command, timeout }],
    }),
  },
  fileOf: placeOf(FOLDER, FILE),
});

/** The user's file is beside the default folder, but inside a configured folder. */
function mcpFile({ home, configDir, projectDir }: HostPlace): string {
  if (projectDir) return join(projectDir, '.mcp.json');
  const isMoved = configDir && resolve(configDir) !== join(resolve(home), FOLDER);
  return join(isMoved ? configDir : home, '.claude.json');
}

/**
 * Installs our hooks in Claude Code's `settings.json`, and our MCP server in `.claude.json` or a project's
 * `.mcp.json`.
 */
export const claudeCodeInstaller = {
  configFolder: FOLDER,
  configFile: FILE,
  findPlugin: findClaudeCodePlugin,
  findOtherPlugin: findOtherClaudeCodePlugin,
  ...createInstaller([hooks, createMcpPart({ grammar: STRICT_JSON, fileOf: mcpFile })]),
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NOTHING, type ConfigPart } from '../config/config-part.js';
import { createInstaller } from '../config/create-installer.js';
import { createMcpPart } from '../config/create-mcp-part.js';
import { JSONC } from '../config/json-grammar.js';
import type { HostPlace } from '../host-adapter.js';
import { OPENCODE_EVENTS } from './events.js';
import { pluginText, scriptOfPlugin } from './plugin-text.js';

const FOLDER = join('.config', 'opencode');
const PROJECT_FOLDER = '.opencode';
const FILE = 'opencode.json';

const folderOf = ({ home, configDir }: HostPlace) => configDir || join(home, FOLDER);

/** The plugin is a separate file. */
const plugin: ConfigPart = {
  fileOf: (place) =>
    join(
      place.projectDir ? join(place.projectDir, PROJECT_FOLDER) : folderOf(place),
      'plugin',
      'claude-mem.js',
    ),
  add: (text, options) =>
    text === null ? { text: pluginText(options) } : { problem: 'is not a plugin that we wrote' },
  remove(text) {
    const script = text === null ? null : scriptOfPlugin(text);
    if (script === null) return { text, own: NOTHING };
    return { text: null, own: { ...NOTHING, events: OPENCODE_EVENTS, programs: [script] } };
  },
};

/** The host reads both names; a user has one of them. */
function configFile(place: HostPlace): string {
  const file = join(place.projectDir ?? folderOf(place), FILE);
  return !existsSync(file) && existsSync(`${file}c`) ? `${file}c` : file;
}

/**
 * Installs our plugin in OpenCode's `plugin` folder and our MCP server in `opencode.json`, for the user or one
 * project.
 */
export const openCodeInstaller = {
  configFolder: FOLDER,
  configFile: FILE,
  ...createInstaller([
    plugin,
    createMcpPart({
      grammar: JSONC,
      field: 'mcp',
      programFields: ['command'],
      envField: 'environment',
      write: ({ node, script }, env) => ({
        type: 'local',
        command: [node, script],
        enabled: true,
        ...(Object.keys(env).length === 0 ? {} : { environment: env }),
      }),
      fileOf: configFile,
    }),
  ]),
};

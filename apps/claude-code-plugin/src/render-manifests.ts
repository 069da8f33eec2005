/** The plugin's folder in the marketplace. */
export const PLUGIN_FOLDER = 'claude-mem';
/** Stands before the colon of each command. Claude Code keeps names that begin with `claude-` for its own makers. */
const PLUGIN_NAME = 'mem';
const MARKETPLACE_NAME = 'claude-mem';
/** By this name the hooks know the memory's own tools and leave their use out. */
const MCP_SERVER = 'claude-mem';

const DESCRIPTION =
  'A memory for coding agents: remembers what sessions did and learned, and gives it back to the next ones.';
const AUTHOR = { name: 'claude-mem' };

export function renderPluginManifest({ version }: { version: string }): object {
  return {
    name: PLUGIN_NAME,
    version,
    description: DESCRIPTION,
    author: AUTHOR,
    license: 'Apache-2.0',
    keywords: ['memory', 'context', 'mcp'],
  };
}

export function renderMarketplace({ version }: { version: string }): object {
  return {
    name: MARKETPLACE_NAME,
    owner: AUTHOR,
    metadata: { description: DESCRIPTION, version },
    plugins: [{ name: PLUGIN_NAME, source: `./${PLUGIN_FOLDER}`, description: DESCRIPTION, version }],
  };
}

/** `.mcp.json`. Through `sh`, because a host that was not started from a terminal often has no node on its PATH. */
export function renderMcpServers(): { mcpServers: Record<string, object> } {
  const args = ['${CLAUDE_PLUGIN_ROOT}/scripts/run.sh', 'mcp-server/dist/mcp-server.js'];
  return { mcpServers: { [MCP_SERVER]: { type: 'stdio', command: 'sh', args } } };
}

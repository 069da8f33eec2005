/** Folder of the plugin in the marketplace. */
export const PLUGIN_FOLDER = 'claude-mem';
/** Prefix of each command, before the colon. Claude Code reserves names that start with `claude-`. */
const PLUGIN_NAME = 'mem';
const MARKETPLACE_NAME = 'claude-mem';
/** The hooks identify calls of claude-mem's own tools by this name and do not record them. */
const MCP_SERVER = 'claude-mem';

const DESCRIPTION =
  'A memory for coding agents: records what sessions did and learned, and injects it into later sessions.';
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

/**
 * Returns the content of `.mcp.json`. Starts the server with `sh`, because a host that was not started from a
 * terminal often has no node on its PATH.
 */
export function renderMcpServers(): { mcpServers: Record<string, object> } {
  const args = ['${CLAUDE_PLUGIN_ROOT}/scripts/run.sh', 'mcp-server/dist/mcp-server.js'];
  return { mcpServers: { [MCP_SERVER]: { type: 'stdio', command: 'sh', args } } };
}

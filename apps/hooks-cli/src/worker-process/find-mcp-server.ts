import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The MCP server's program, beside this package, whether in the workspace or installed. Null when there is none.
 * @param ownFolder where this program's files are
 */
export function findMcpServer(ownFolder: string): string | null {
  const beside = [
    resolve(ownFolder, '../../mcp-server/dist/mcp-server.js'),
    resolve(ownFolder, '../node_modules/@claude-mem/mcp-server/dist/mcp-server.js'),
  ];
  return beside.find((file) => existsSync(file)) ?? null;
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Returns the path of the MCP server next to this package, in the workspace or installed. Null when the file does not exist.
 * @param ownFolder folder of the files of this program
 */
export function findMcpServer(ownFolder: string): string | null {
  const beside = [
    resolve(ownFolder, '../../mcp-server/dist/mcp-server.js'),
    resolve(ownFolder, '../node_modules/@claude-mem/mcp-server/dist/mcp-server.js'),
  ];
  return beside.find((file) => existsSync(file)) ?? null;
}

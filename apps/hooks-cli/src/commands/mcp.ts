import { pathToFileURL } from 'node:url';
import { CliError } from '../cli-error.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { findMcpServer } from '../worker-process/find-mcp-server.js';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Give the memory to an agent as an MCP server over stdio (what hosts run)',
  async run({ ownFolder }) {
    const program = findMcpServer(ownFolder);
    if (program === null)
      throw new CliError(
        'cli/failed',
        'The package @claude-mem/mcp-server is not installed beside this program. Install claude-mem again.',
      );
    // a program of its own, which reads its options from the same command line and ends the process
    await import(pathToFileURL(program).href);
    return EXIT.done;
  },
};

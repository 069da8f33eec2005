import { pathToFileURL } from 'node:url';
import { CliError } from '../cli-error.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { findMcpServer } from '../worker-process/find-mcp-server.js';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Run the MCP server over stdio (run by hosts)',
  async run({ ownFolder }) {
    const program = findMcpServer(ownFolder);
    if (program === null)
      throw new CliError(
        'cli/failed',
        'The package @claude-mem/mcp-server is not installed beside this program. Install claude-mem again.',
      );
    // the MCP server reads its options from the command line of this process and ends the process itself
    await import(pathToFileURL(program).href);
    return EXIT.done;
  },
};

import path from 'node:path';
import { workspacePaths, type TempHome } from '@claude-mem/testing';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const mcpProgram = path.join(workspacePaths.root, 'apps/mcp-server/dist/mcp-server.js');

/** The result of a tool, as a host receives it. */
export interface McpAnswer {
  text: string;
  isError: boolean;
  structured: unknown;
}

/** An MCP client that runs the MCP server as a child process. */
export interface McpClient extends AsyncDisposable {
  client: Client;
  pid: number;
  stderr(): string;
  call(name: string, args?: Record<string, unknown>): Promise<McpAnswer>;
}

export interface McpClientOptions {
  /** `legacy` connects like a client of 2025. @default legacy */
  era?: 'legacy' | 'auto' | { pin: string };
  /** The name that the client reports. @default test */
  name?: string;
  roots?: readonly string[];
  cwd?: string;
  /** Script to run. @default the server */
  args?: readonly string[];
  env?: Record<string, string>;
}

export async function connectMcp(home: TempHome, options: McpClientOptions = {}): Promise<McpClient> {
  const { roots } = options;
  const client = new Client(
    { name: options.name ?? 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: options.era ?? 'legacy' },
      capabilities: roots === undefined ? {} : { roots: {} },
    },
  );
  if (roots !== undefined)
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(options.args ?? [mcpProgram])],
    env: { ...home.env, ...options.env },
    cwd: options.cwd ?? home.project,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? -1,
    stderr: () => stderr,
    async call(name, args = {}) {
      const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
      const [first] = result.content;
      return {
        text: first?.type === 'text' ? first.text : '',
        isError: result.isError === true,
        structured: result.structuredContent,
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

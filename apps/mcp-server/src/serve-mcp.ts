import type { Readable, Writable } from 'node:stream';
import { loadSettings, typeEmojis } from '@claude-mem/settings';
import { createLocalWorkerLink } from '@claude-mem/worker-protocol/local';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { findConversation } from './find-conversation.js';
import { createServer, type ClientInfo } from './create-server.js';
import { currentProject } from './current-project.js';
import { createDatabaseReader } from './memory/database-reader.js';
import { createFallbackReader } from './memory/create-fallback-reader.js';
import { createWorkerReader } from './memory/worker-reader.js';
import { skipLongLines } from './skip-long-lines.js';
import { acceptNullArguments } from './accept-null-arguments.js';
import type { ToolContext } from './tools/tool.js';
import { createRequestTracker } from './track-requests.js';

export interface ServeMcpOptions {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
  version: string;
  input: Readable;
  /** Only for protocol messages. */
  output: Writable;
  /** Stops the server, like the end of the input. */
  signal: AbortSignal;
}

/** How long to wait for the worker before reading the database. */
const READ_TIMEOUT_MS = 2_000;
/** Deleting records rewrites the complete database file. */
const WRITE_TIMEOUT_MS = 60_000;
/** How long the worker may answer no request at all during a write. */
const SILENT_TIMEOUT_MS = 10_000;
/** Maximum size of one message. The transport closes the connection at 10 MiB. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Serves the memory until the client closes stdin. Requests that arrived before the end get their responses. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { env, home, cwd, version, input, output, signal } = options;
  const loaded = loadSettings({ env, home, cwd, isEnvironmentTrusted: false });
  const now = () => Date.now();
  const link = createLocalWorkerLink(loaded.paths);
  const database = createDatabaseReader(loaded, { now, timeZone: readTimeZone });
  const memory = createFallbackReader({
    worker: createWorkerReader(link.within(READ_TIMEOUT_MS), readTimeZone),
    database,
    isOtherVersion: async () => {
      const health = await link
        .within(READ_TIMEOUT_MS)
        .health()
        .catch(() => null);
      return health !== null && health.version !== version;
    },
  });

  const createContext = (client: ClientInfo): ToolContext => ({
    memory,
    worker: link.within(WRITE_TIMEOUT_MS),
    checkWorker: () => link.within(SILENT_TIMEOUT_MS).health(),
    currentProject: async () => {
      // a host that Claude Code started inherits the variable
      const projectDir = client.name() === 'claude-code' ? env['CLAUDE_PROJECT_DIR'] : undefined;
      return currentProject(await client.rootUris(), { home, cwd, projectDir });
    },
    conversation: () => findConversation(client.name(), env),
    types: Object.keys(typeEmojis(loaded.settings.mode)),
    home,
    now,
    timeZone: readTimeZone,
  });

  const lines = skipLongLines(MAX_LINE_BYTES, ({ id }) => {
    if (id === null) return;
    const error = {
      code: -32600,
      message: `The message is longer than ${MAX_LINE_BYTES} bytes and was not read. Send a shorter message.`,
    };
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  });
  const requests = createRequestTracker();
  const messages = input.pipe(lines).pipe(requests.delayEnd(WRITE_TIMEOUT_MS + SILENT_TIMEOUT_MS));
  for (const event of ['close', 'error']) input.once(event, () => lines.end());
  const transport = requests.track(acceptNullArguments(new StdioServerTransport(messages, output)));
  const stopped = new Promise<void>((resolve) => {
    output.once('error', resolve);
    signal.addEventListener('abort', () => resolve());
  });
  const ended = new Promise<void>((resolve) => messages.once('end', resolve));
  const served = serveStdio(() => createServer({ version, createContext }), { transport });
  await Promise.race([stopped, ended.then(() => Promise.race([stopped, flushAndEnd(output)]))]);
  await served.close().catch(() => undefined);
  await database.close();
}

/** Resolves when all output has been written. */
const flushAndEnd = (output: Writable) => new Promise<void>((resolve) => output.end(() => resolve()));

/** Called only when needed, because it takes a tenth of the startup time. */
const readTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

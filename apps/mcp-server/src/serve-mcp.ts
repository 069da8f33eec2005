import type { Readable, Writable } from 'node:stream';
import { loadSettings, typeEmojis } from '@claude-mem/settings';
import { createLocalWorkerLink } from '@claude-mem/worker-protocol/local';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { conversationOf } from './conversation-of.js';
import { createServer, type ClientFacts } from './create-server.js';
import { currentProject } from './current-project.js';
import { createDatabaseReader } from './memory/database-reader.js';
import { createMemoryQuestions } from './memory/create-memory-questions.js';
import { createWorkerReader } from './memory/worker-reader.js';
import { skipLongLines } from './skip-long-lines.js';
import { takeNullArguments } from './take-null-arguments.js';
import type { ToolContext } from './tools/tool.js';
import { createRequestTracker } from './track-requests.js';

export interface ServeMcpOptions {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
  version: string;
  input: Readable;
  /** Carries the protocol and nothing else. */
  output: Writable;
  /** Ends the server as a closed input does. */
  signal: AbortSignal;
}

/** How long the worker is waited for before the database is read without it. */
const WORKER_MS = 2_000;
/** Forgetting writes the whole memory anew. */
const WRITING_MS = 60_000;
/** How long it may answer nothing at all meanwhile. */
const SILENT_MS = 10_000;
/** Bytes of one message; the transport ends the connection at ten MiB. */
const LONGEST_LINE = 8 * 1024 * 1024;

/** Serves the memory until the client closes its end. Requests that arrived before the end get their responses. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { env, home, cwd, version, input, output, signal } = options;
  const loaded = loadSettings({ env, home, cwd, isEnvironmentTrusted: false });
  const now = () => Date.now();
  const link = createLocalWorkerLink(loaded.paths);
  const database = createDatabaseReader(loaded, { now, timeZone: timeZoneHere });
  const memory = createMemoryQuestions({
    worker: createWorkerReader(link.within(WORKER_MS), timeZoneHere),
    database,
    isOtherVersion: async () => {
      const health = await link
        .within(WORKER_MS)
        .health()
        .catch(() => null);
      return health !== null && health.version !== version;
    },
  });

  const contextFor = (client: ClientFacts): ToolContext => ({
    memory,
    worker: link.within(WRITING_MS),
    workerAnswers: () => link.within(SILENT_MS).health(),
    here: async () => {
      // a host that Claude Code started inherits the variable
      const projectDir = client.name() === 'claude-code' ? env['CLAUDE_PROJECT_DIR'] : undefined;
      return currentProject(await client.rootUris(), { home, cwd, projectDir });
    },
    session: () => conversationOf(client.name(), env),
    types: Object.keys(typeEmojis(loaded.settings.mode)),
    home,
    now,
    timeZone: timeZoneHere,
  });

  const lines = skipLongLines(LONGEST_LINE, ({ id }) => {
    if (id === null) return;
    const error = { code: -32600, message: `Longer than ${LONGEST_LINE} bytes, so it was not read.` };
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  });
  const requests = createRequestTracker();
  const messages = input.pipe(lines).pipe(requests.delayEnd(WRITING_MS + SILENT_MS));
  for (const event of ['close', 'error']) input.once(event, () => lines.end());
  const transport = requests.track(takeNullArguments(new StdioServerTransport(messages, output)));
  const stopped = new Promise<void>((resolve) => {
    output.once('error', resolve);
    signal.addEventListener('abort', () => resolve());
  });
  const ended = new Promise<void>((resolve) => messages.once('end', resolve));
  const served = serveStdio(() => createServer({ version, contextFor }), { transport });
  await Promise.race([stopped, ended.then(() => Promise.race([stopped, endOf(output)]))]);
  await served.close().catch(() => undefined);
  await database.close();
}

/** Resolves when everything that was written has left the process. */
const endOf = (output: Writable) => new Promise<void>((resolve) => output.end(() => resolve()));

/** Not before the first answer: it costs a tenth of the start. */
const timeZoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

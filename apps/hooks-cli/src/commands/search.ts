import {
  HOST_NAMES,
  messageOf,
  noLexicalMatch,
  noSuchProject,
  projectNamed,
  withoutUndefined,
  type HostName,
} from '@claude-mem/core';
import type { SearchRequest } from '@claude-mem/search';
import type { FoundItem, SearchKind, SearchReply } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import { parseInstantOption } from '../parse-instant-option.js';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext, CommandOption, OptionValues } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { reportDegraded } from '../report-degraded.js';
import { parseListOption } from '../parse-list-option.js';
import { openOfflineMemory, throughWorkerOr } from '../offline-memory.js';
import { openOfflineSearch } from '../offline-search.js';
import { formatFoundItem, projectColumnWidth } from '../format-items.js';
import { readNumber } from '../read-number.js';

export const FILTER_OPTIONS: Readonly<Record<string, CommandOption>> = {
  project: { type: 'string', value: 'PROJECT', summary: 'Only this project: name or folder' },
  type: {
    type: 'string',
    isList: true,
    value: 'TYPE,…',
    summary: 'Only these types, such as bugfix,decision',
  },
  concept: {
    type: 'string',
    isList: true,
    value: 'CONCEPT,…',
    summary: 'Only with one of these concepts, such as gotcha',
  },
  file: {
    type: 'string',
    isList: true,
    value: 'FILE,…',
    summary:
      'Only records about these files: an absolute path, a path in the project, the end of a path, or a folder/',
  },
  host: {
    type: 'string',
    isList: true,
    value: 'HOST,…',
    summary: 'Only from these hosts, such as cursor,codex',
  },
  from: { type: 'string', value: 'TIME', summary: 'Earliest date or time, such as 2026-11-28' },
  to: { type: 'string', value: 'TIME', summary: 'Latest date or time' },
};

/** The worker rejects URLs of more than 16 KiB. */
const MAX_IN_ADDRESS = 12_000;

export const searchCommand: Command = {
  name: 'search',
  summary: 'Search the memory by words, meaning, files and time',
  operands: '[WORDS…]',
  operandCount: { min: 0, max: Infinity },
  details: [
    'Prints the best result first. Without words, prints matching records, newest first.',
    'WORDS are plain text; with --syntax they are FTS5 syntax: "a phrase", AND, OR, NOT, prefix*, title:word.',
  ],
  options: {
    ...FILTER_OPTIONS,
    sessions: { type: 'boolean', summary: 'Search sessions' },
    prompts: { type: 'boolean', summary: 'Search prompts' },
    limit: { type: 'string', value: 'N', summary: 'Maximum number of results (default 20)' },
    syntax: { type: 'boolean', summary: 'WORDS are FTS5 syntax' },
    explain: { type: 'boolean', summary: 'Show the parts of each score' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options } = context;
    const kind = readKind(options);
    const request = readRequest(context);
    const offline = () => askDatabase(context, kind, request);
    const isLong = encodeURIComponent(request.query ?? '').length > MAX_IN_ADDRESS;
    const answer = await (
      isLong ? offline() : throughWorkerOr(context, () => askWorker(context, kind, request), offline)
    ).catch(renameField);
    if (answer.items.length === 0) await requireKnown(context, request);
    reportDegraded(context, answer.degraded);
    if (answer.strategy === 'semantic' && answer.items.length > 0)
      terminal.warn(`Note: ${noLexicalMatch(hasFilter(options))}. These results match only semantically.`);
    if (options['json']) terminal.print(JSON.stringify(answer, null, 2));
    else if (answer.items.length === 0) terminal.print('Nothing found.');
    else {
      const width = projectColumnWidth(answer.items, context);
      for (const found of answer.items) terminal.print(render(found, width));
    }
    return EXIT.done;
  },
};

/** The result that `--json` prints. */
type Answer = Pick<SearchReply, 'items' | 'strategy' | 'degraded'>;
type Request = Pick<
  SearchRequest,
  'query' | 'limit' | 'explain' | 'syntax' | 'type' | 'concepts' | 'files' | 'dateFrom' | 'dateTo'
> & { project?: string; host?: readonly HostName[] };

function readKind(options: OptionValues): SearchKind {
  if (options['sessions'] && options['prompts'])
    throw new CliError('cli/usage', 'Use either --sessions or --prompts.');
  return options['sessions'] ? 'sessions' : options['prompts'] ? 'prompts' : 'observations';
}

function readRequest(context: CommandContext): Request {
  const { operands, options } = context;
  const query = operands.join(' ').trim();
  if (query === '' && !hasFilter(options))
    throw new CliError('cli/usage', 'search needs WORDS or a filter. See: claude-mem search --help');
  const words = (name: string) =>
    typeof options[name] === 'string' ? options[name].split(',').map((word) => word.trim()) : undefined;
  return withoutUndefined({
    query: query === '' ? undefined : query,
    limit: readNumber(options['limit'], 'limit', { min: 1, max: 200 }) ?? 20,
    project: requestedProject(context),
    type: words('type'),
    concepts: words('concept'),
    files: words('file'),
    host: readHosts(options),
    dateFrom: parseInstantOption(options['from'], 'start'),
    dateTo: parseInstantOption(options['to'], 'end'),
    syntax: options['syntax'] ? ('fts5' as const) : undefined,
    explain: options['explain'] ? true : undefined,
  });
}

const hasFilter = (options: OptionValues) =>
  Object.keys(FILTER_OPTIONS).some((name) => options[name] !== undefined);

/** @throws CliError when a host is unknown */
export function readHosts(options: OptionValues): readonly HostName[] | undefined {
  return parseListOption(options['host'])?.map((word) => {
    const host = HOST_NAMES.find((one) => one === word);
    if (host === undefined)
      throw new CliError('cli/usage', `Unknown host "${word}". Known: ${HOST_NAMES.join(', ')}`);
    return host;
  });
}

async function askWorker({ worker }: CommandContext, kind: SearchKind, request: Request): Promise<Answer> {
  const { explain, type, concepts, files, host, ...rest } = request;
  const { items, strategy, degraded } = await worker.client.search({
    query: withoutUndefined({
      ...(rest as Omit<Request, 'type' | 'concepts' | 'files' | 'host' | 'explain'>),
      kind,
      type: toList(type),
      concepts: toList(concepts),
      files: toList(files),
      host,
      explain: explain ? ('true' as const) : undefined,
    }),
  });
  return { items, strategy, degraded };
}

const toList = (words: string | readonly string[] | undefined) =>
  words === undefined ? undefined : [words].flat();

async function askDatabase(context: CommandContext, kind: SearchKind, request: Request): Promise<Answer> {
  await using memory = await openOfflineSearch(context);
  if (memory === null) return { items: [], strategy: 'filters', degraded: [] };
  const { semanticWindowDays } = context.loaded.settings;
  const completeRequest = { semanticWindowDays, ...request };
  if (kind === 'sessions') return toAnswer('session', await memory.searchSessions(completeRequest));
  if (kind === 'prompts') return toAnswer('prompt', await memory.searchUserPrompts(completeRequest));
  return toAnswer('observation', await memory.search(completeRequest));
}

function toAnswer(
  kind: FoundItem['kind'],
  answer: {
    items: readonly object[];
    strategy: string;
    degraded: readonly { part: string; reason: string }[];
  },
): Answer {
  return {
    items: answer.items.map((item) => ({ kind, ...item }) as FoundItem),
    strategy: answer.strategy,
    degraded: answer.degraded,
  };
}

/** Throws the error with the name of the option instead of the name of the request field. */
export function renameField(error: unknown): never {
  const message = messageOf(error);
  const field = Object.keys(OPTION_NAMES).find((name) => message.startsWith(`${name} `));
  if (field === undefined) throw error;
  throw new CliError('cli/usage', message.replace(field, `--${OPTION_NAMES[field]}`), { cause: error });
}

/** Options of request fields that have another name and that only the search validates. */
const OPTION_NAMES: Readonly<Record<string, string>> = { dateFrom: 'from', dateTo: 'to' };

/** @throws CliError when no record has the project, type or concept of a filter */
async function requireKnown(context: CommandContext, request: Request): Promise<void> {
  if (request.project !== undefined) await requireProject(context, request.project);
  if (request.type === undefined && request.concepts === undefined) return;
  await using memory = openOfflineMemory(context);
  if (memory === null) return;
  const { types, concepts } = await memory.store.listLabels();
  requireLabels('type', toList(request.type), types);
  requireLabels('concept', toList(request.concepts), concepts);
}

function requireLabels(kind: string, requested: readonly string[] = [], known: readonly string[]): void {
  const names = new Set(known.map((name) => name.toLowerCase()));
  const unknown = requested.filter((name) => !names.has(name.toLowerCase()));
  if (unknown.length < requested.length || requested.length === 0) return;
  const list = unknown.map((name) => `"${name}"`).join(' or ');
  throw new CliError('cli/failed', `No record has the ${kind} ${list}. Known: ${known.join(', ') || 'none'}`);
}

/** @throws CliError */
async function requireProject(context: CommandContext, project: string): Promise<void> {
  const projects = await throughWorkerOr(
    context,
    async () => (await context.worker.client.listProjects()).items,
    async () => {
      await using memory = await openOfflineSearch(context);
      return (await memory?.listProjects()) ?? [];
    },
  );
  if (!projectNamed(projects, project)) throw new CliError('cli/failed', noSuchProject(project, projects));
}

const formatScore = (value: number) =>
  value === 0 || Math.abs(value) >= 0.001 ? value.toFixed(3) : value.toPrecision(2);

function render(found: FoundItem, width: number): string {
  const { parts = [], score } = found;
  const line = formatFoundItem(found, width);
  if (parts.length === 0) return line;
  const sum = parts
    .filter(({ value }) => Math.abs(value) >= score / 1_000)
    .map(({ name, value, detail }) => `${name} ${formatScore(value)}${detail ? ` (${detail})` : ''}`);
  return `${line}\n      ${formatScore(score)} = ${sum.join(' + ')}`;
}

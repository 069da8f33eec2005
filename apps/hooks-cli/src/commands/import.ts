import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, withoutUndefined } from '@claude-mem/core';
import type { ImportReply } from '@claude-mem/worker-protocol';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, exitCodeOf } from '../exit-codes.js';
import { readLines, type NumberedLine } from '../read-lines.js';
import { waitForIndexes } from '../wait-for-indexes.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';

/** Limits of one request: lines and UTF-16 code units. */
const CHUNK_LINES = 500;
const CHUNK_LENGTH = 1_000_000;
const MAX_LINE = 4_000_000;
const REQUEST_TIMEOUT_MS = 120_000;
const MAX_ATTEMPTS = 6;
const RETRY_PAUSE_MS = 200;
const PROGRESS_EVERY = 10_000;
/** Maximum number of printed lines of each kind. The rest is only counted. */
const MAX_LISTED = 100;
const COUNT_NAMES = [
  'inserted',
  'known',
  'forgotten',
  'pinned',
  'manual',
  'userFacts',
  'superseded',
] as const;

export const importCommand: Command = {
  name: 'import',
  summary: 'Import records from a file of JSON lines',
  operands: 'FILE | -',
  operandCount: { min: 1, max: 1 },
  details: [
    'One JSON object per line, as `claude-mem export` prints them. A line without kind is an observation: uid, project, session,',
    'prompt_number, type, title, subtitle, narrative, facts, concepts, files_read, files_modified, created_at. Required are uid and',
    'one of title, narrative and facts. A fact is a text, or an object with text and origin. A record with a known uid is skipped,',
    'so the same file can be imported again. Invalid lines are reported; the others are imported. Imported records do not supersede',
    'existing records that are pinned or saved manually. The claude-mem supersede command for each such link is printed.',
  ],
  options: {
    format: { type: 'string', value: 'FORMAT', summary: 'Only jsonl is supported (default)' },
    'take-forgotten': { type: 'boolean', summary: 'Import records even if they were deleted here' },
    wait: { type: 'boolean', summary: 'Wait until semantic search finds all imported records' },
  },
  async run(context) {
    const { terminal, options, operands } = context;
    requireJsonLines(options['format']);
    const lines = readLines(await openSource(operands[0] ?? '-', context), { maxLength: MAX_LINE });
    await ensureWorker(context);
    const total = {
      lines: 0,
      inserted: 0,
      known: 0,
      forgotten: 0,
      failed: 0,
      pinned: 0,
      manual: 0,
      userFacts: 0,
      superseded: 0,
    };
    const notSuperseded: ImportReply['notSuperseded'] = [];
    let existingUpTo: number | undefined;
    const reportInvalid = (line: number, reason: string) => {
      total.failed += 1;
      if (total.failed <= MAX_LISTED) terminal.warn(`line ${line}: ${reason}`);
    };
    for await (const chunk of splitIntoChunks(lines)) {
      for (const { number, text } of chunk)
        if (text === null) reportInvalid(number, `the line is longer than ${MAX_LINE} characters`);
      const sent = chunk.filter((line) => line.text !== null);
      const lines = sent.map((line) => line.text ?? '');
      const reply = await send(context, withoutUndefined({ lines, existingUpTo }));
      existingUpTo = reply.existingUpTo;
      for (const name of COUNT_NAMES) total[name] += reply[name];
      notSuperseded.push(...reply.notSuperseded);
      for (const { line, reason } of reply.failed) reportInvalid(sent[line - 1]?.number ?? line, reason);
      const before = total.lines;
      total.lines += chunk.length;
      if (Math.floor(before / PROGRESS_EVERY) < Math.floor(total.lines / PROGRESS_EVERY))
        terminal.warn(`${total.lines} lines processed`);
    }
    if (total.failed > MAX_LISTED) terminal.warn(`… and ${total.failed - MAX_LISTED} lines more.`);
    terminal.print(`${total.inserted} new, ${total.known} known, ${total.failed} invalid.`);
    if (total.forgotten > 0)
      terminal.print(
        `${total.forgotten} skipped because they were deleted here. To import them: --take-forgotten`,
      );
    for (const line of formatMarks(total, notSuperseded)) terminal.print(line);
    const isComplete = options['wait'] ? await indexAndWait(context) : true;
    return total.failed === 0 && isComplete ? EXIT.done : EXIT.failed;
  },
};

/** S06: reports the marks of an import. A file can be untrusted, and contexts show marked records first. */
function formatMarks(
  {
    pinned,
    manual,
    userFacts,
    superseded,
  }: Pick<ImportReply, 'pinned' | 'manual' | 'userFacts' | 'superseded'>,
  notSuperseded: ImportReply['notSuperseded'],
): string[] {
  const are = (count: number) => `${count} ${count === 1 ? 'is' : 'are'}`;
  const more = notSuperseded.length - MAX_LISTED;
  return [
    ...(pinned + manual > 0
      ? [
          `Of the new records, ${are(pinned)} pinned and ${are(manual)} marked as saved manually. Review them: claude-mem context`,
        ]
      : []),
    ...(userFacts > 0 ? [`New records with facts that the file attributes to the user: ${userFacts}.`] : []),
    ...(superseded > 0 ? [`Existing records superseded by new records: ${superseded}.`] : []),
    ...notSuperseded
      .slice(0, MAX_LISTED)
      .map(
        ({ id, by }) =>
          `#${id} is pinned or saved manually, so #${by} does not supersede it. To supersede it: claude-mem supersede ${id} --by ${by}`,
      ),
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ];
}

export function requireJsonLines(format: string | boolean | undefined): void {
  if (format !== undefined && format !== 'jsonl')
    throw new CliError('cli/usage', `--format is jsonl, not "${String(format)}".`);
}

async function openSource(
  file: string,
  { stdin, cwd }: CommandContext,
): Promise<AsyncIterable<Uint8Array | string>> {
  if (file === '-') return stdin;
  const path = resolve(cwd, file);
  try {
    if ((await stat(path)).isDirectory())
      throw new CliError('cli/failed', `${path} is a folder, not a file.`);
    const stream = createReadStream(path);
    await once(stream, 'open');
    return stream;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      'cli/failed',
      code === 'ENOENT' ? `File not found: ${path}.` : `${path} cannot be read: ${code ?? messageOf(error)}.`,
      { cause: error },
    );
  }
}

async function indexAndWait(context: CommandContext): Promise<boolean> {
  await context.worker.client.reindex({ body: { part: 'missing' } });
  return waitForIndexes(context);
}

/** Repeats a failed request after starting the worker. Records that the first request stored count as known. */
async function send(
  context: CommandContext,
  part: { lines: string[]; existingUpTo?: number },
): Promise<ImportReply> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) await ensureWorker(context);
      return await context.worker.within(REQUEST_TIMEOUT_MS).importRecords({
        body: { ...part, ...(context.options['take-forgotten'] ? { takeForgotten: true } : {}) },
      });
    } catch (error) {
      if (exitCodeOf(error) !== EXIT.workerNotRunning || attempt === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS * attempt));
    }
  }
}

async function* splitIntoChunks(lines: AsyncIterable<NumberedLine>): AsyncGenerator<NumberedLine[]> {
  let chunk: NumberedLine[] = [];
  let length = 0;
  for await (const line of lines) {
    if (line.text?.trim() === '') continue;
    const size = line.text?.length ?? 0;
    if (chunk.length > 0 && (chunk.length === CHUNK_LINES || length + size > CHUNK_LENGTH)) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(line);
    length += size;
  }
  if (chunk.length > 0) yield chunk;
}

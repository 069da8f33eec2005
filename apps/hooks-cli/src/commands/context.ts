import { Readable } from 'node:stream';
import type { HostName } from '@claude-mem/core';
import type { ContextReply } from '@claude-mem/worker-protocol';
import type { Command, CommandContext } from '../command.js';
import { CliError } from '../cli-error.js';
import { formatCount } from '../format-count.js';
import { EXIT } from '../exit-codes.js';
import { isSwitchedOff } from '../hook/hook-event.js';
import { readStdin } from '../hook/read-stdin.js';
import type { Terminal } from '../terminal.js';
import { FILES_OPTIONS, showContextFiles } from './context-files.js';
import { deliverClassic, HOST, refuseTerminal } from './classic-events.js';

export const contextCommand: Command = {
  name: 'context',
  summary: 'Preview the context of the next session in this folder (also the hook SessionStart)',
  details: [
    'Prints the exact text to stdout. Prints the number of tokens and the skipped records to stderr.',
    'Tokens are estimated: a quarter token for each ASCII character, one token for every other character.',
    'Runs as the hook when stdin contains a JSON object, or when --host is the only option.',
    'Otherwise prints the preview. --preview and all other options ignore stdin.',
  ],
  options: {
    prompt: {
      type: 'string',
      value: 'TEXT',
      summary: 'Preview the records that are injected with this prompt',
    },
    file: {
      type: 'string',
      value: 'PATH',
      summary: 'Preview the records that are injected when this file is read',
    },
    json: { type: 'boolean', summary: 'Print JSON' },
    preview: { type: 'boolean', summary: 'Print the preview and ignore stdin' },
    host: {
      ...HOST,
      summary: 'Host of the event; with another option, the host of the preview (claude-code)',
    },
    ...FILES_OPTIONS,
  },
  async run(context) {
    const { terminal, options, worker, cwd, env } = context;
    const { prompt, file, host } = options;
    if (Object.keys(FILES_OPTIONS).some((name) => options[name])) return showContextFiles(context);
    const event = await readEvent(context);
    if (event !== null) return deliverClassic({ ...context, stdin: Readable.from([event]) }, 'start');
    if (prompt !== undefined && file !== undefined)
      throw new CliError('cli/usage', 'Use either --prompt or --file.');
    const preview = await worker.client.previewContext({
      query: {
        cwd,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        host: (host === undefined ? 'claude-code' : String(host)) as HostName,
        ...(typeof prompt === 'string' ? { prompt } : {}),
        ...(typeof file === 'string' ? { file } : {}),
      },
    });
    const disabledReason = isSwitchedOff(env) ? 'claude-mem is disabled in this environment' : null;
    const result = { ...preview, offReason: disabledReason ?? preview.offReason };
    if (options['json']) terminal.print(JSON.stringify(result, null, 2));
    else printPreview(terminal, result, { isSessionStart: prompt === undefined && file === undefined });
    return EXIT.done;
  },
};

/** How long to wait for the first byte when the caller may be a host. */
const FIRST_BYTE_MS = 1_000;

/** Options that request a preview. A command line with one of these options is not a hook call. */
const PREVIEW_OPTIONS = ['preview', 'json', 'prompt', 'file', ...Object.keys(FILES_OPTIONS)];

/** Whether the arguments of `claude-mem context` can only be a hook call. */
export const isContextHook = (words: readonly string[]): boolean =>
  words.some((word) => /^--host(=|$)/.test(word)) &&
  !words.some((word) => PREVIEW_OPTIONS.includes(/^--([^=]+)/.exec(word)?.[1] ?? ''));

/** Returns the event of a host, or null when stdin contains no JSON object or must not be read. */
async function readEvent(context: CommandContext): Promise<Buffer | null> {
  const { options, terminal, stdin } = context;
  if (PREVIEW_OPTIONS.some((name) => options[name] !== undefined)) return null;
  if (options['host'] !== undefined) {
    refuseTerminal(context, 'context --host');
    return readStdin(stdin);
  }
  if (terminal.isInteractive) return null;
  const bytes = await readStdin(stdin, { firstByteMs: FIRST_BYTE_MS });
  return /^\uFEFF?\s*\{/.test(bytes.toString('utf8', 0, 64)) ? bytes : null;
}

const MAX_LISTED_IDS = 5;

function printPreview(
  terminal: Terminal,
  preview: ContextReply,
  { isSessionStart }: { isSessionStart: boolean },
): void {
  const { project, text, tokens, shown, skipped, statements, total, offReason, reason } = preview;
  if (text === '') terminal.print(`Nothing to inject.${reason === null ? '' : ` ${reason}`}`);
  else {
    terminal.print(text);
    const records = isSessionStart
      ? `${shown.length} of ${total} records`
      : formatCount(shown.length, 'record');
    const parts = [...(statements > 0 ? [formatCount(statements, 'statement')] : []), records];
    terminal.warn(`${project.name}: ${parts.join(', ')}, about ${tokens} tokens`);
    if (reason !== null) terminal.warn(reason);
  }
  for (const [why, ids] of groupByReason(skipped)) {
    const listed = ids.slice(0, MAX_LISTED_IDS).map((id) => `#${id}`);
    const others = ids.length > listed.length ? ` and ${ids.length - listed.length} more` : '';
    terminal.warn(`Skipped, ${why}: ${listed.join(', ')}${others}`);
  }
  const olderCount = total - shown.length - skipped.length;
  if (isSessionStart && olderCount > 0) terminal.warn(`Skipped, too old: ${olderCount}`);
  if (offReason !== null) terminal.warn(`Not injected: ${offReason}.`);
}

function groupByReason(skipped: ContextReply['skipped']): Map<string, number[]> {
  const reasons = new Map<string, number[]>();
  for (const { id, reason } of skipped) {
    // group reasons that differ only in the id of the other record
    const why = reason.replace(/ #\d+$/, ' another');
    reasons.set(why, [...(reasons.get(why) ?? []), id]);
  }
  return reasons;
}

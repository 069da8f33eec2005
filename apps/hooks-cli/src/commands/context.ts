import { Readable } from 'node:stream';
import type { HostName } from '@claude-mem/core';
import type { ContextReply } from '@claude-mem/worker-protocol';
import type { Command, CommandContext } from '../command.js';
import { CliError } from '../cli-error.js';
import { counted } from '../counted.js';
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
    json: { type: 'boolean', summary: 'As JSON' },
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
    const offHere = isSwitchedOff(env) ? 'claude-mem is switched off in this environment' : null;
    const told = { ...preview, offReason: offHere ?? preview.offReason };
    if (options['json']) terminal.print(JSON.stringify(told, null, 2));
    else tellPreview(terminal, told, { isWhole: prompt === undefined && file === undefined });
    return EXIT.done;
  },
};

/** How long somebody who may be a host is given to say the first word. */
const FIRST_BYTE_MS = 1_000;

/** Options that ask for something to look at: with one of them it is no hook. */
const TO_LOOK_AT = ['preview', 'json', 'prompt', 'file', ...Object.keys(FILES_OPTIONS)];

/** Whether `claude-mem context` with these words can only be the hook. */
export const isContextHook = (words: readonly string[]): boolean =>
  words.some((word) => /^--host(=|$)/.test(word)) &&
  !words.some((word) => TO_LOOK_AT.includes(/^--([^=]+)/.exec(word)?.[1] ?? ''));

/** What a host sent; null when nobody did, or what lies in stdin is meant for others. */
async function readEvent(context: CommandContext): Promise<Buffer | null> {
  const { options, terminal, stdin } = context;
  if (TO_LOOK_AT.some((name) => options[name] !== undefined)) return null;
  if (options['host'] !== undefined) {
    refuseTerminal(context, 'context --host');
    return readStdin(stdin);
  }
  if (terminal.isInteractive) return null;
  const bytes = await readStdin(stdin, { firstByteMs: FIRST_BYTE_MS });
  return /^\uFEFF?\s*\{/.test(bytes.toString('utf8', 0, 64)) ? bytes : null;
}

const MOST_NAMED = 5;

/** The text itself to stdout, what it costs and what was left out beside it. */
function tellPreview(terminal: Terminal, preview: ContextReply, { isWhole }: { isWhole: boolean }): void {
  const { project, text, tokens, shown, leftOut, statements, total, offReason, reason } = preview;
  if (text === '') terminal.print(`Nothing to inject.${reason === null ? '' : ` ${reason}`}`);
  else {
    terminal.print(text);
    const records = isWhole ? `${shown.length} of ${total} records` : counted(shown.length, 'record');
    const parts = [...(statements > 0 ? [counted(statements, 'statement')] : []), records];
    terminal.complain(`${project.name}: ${parts.join(', ')}, about ${tokens} tokens`);
    if (reason !== null) terminal.complain(reason);
  }
  for (const [why, ids] of byReason(leftOut)) {
    const named = ids.slice(0, MOST_NAMED).map((id) => `#${id}`);
    const others = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
    terminal.complain(`Skipped, ${why}: ${named.join(', ')}${others}`);
  }
  const notLookedAt = total - shown.length - leftOut.length;
  if (isWhole && notLookedAt > 0) terminal.complain(`Skipped, too old: ${notLookedAt}`);
  if (offReason !== null) terminal.complain(`Not injected: ${offReason}.`);
}

function byReason(leftOut: ContextReply['leftOut']): Map<string, number[]> {
  const reasons = new Map<string, number[]>();
  for (const { id, reason } of leftOut) {
    // each names another record
    const why = reason.replace(/ #\d+$/, ' another');
    reasons.set(why, [...(reasons.get(why) ?? []), id]);
  }
  return reasons;
}

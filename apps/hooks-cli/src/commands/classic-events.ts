import type { ContextReply } from '@claude-mem/worker-protocol';
import type { Command, CommandContext, CommandOption } from '../command.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Terminal } from '../terminal.js';
import { deliverHook } from './hook.js';

const HOST: CommandOption = {
  type: 'string',
  value: 'HOST',
  summary: 'Host that fires the event: claude-code, cursor (claude-code)',
};

/** What hosts call the four classic events. */
const CLAUDE_CODE_NAMES = {
  start: 'SessionStart',
  prompt: 'UserPromptSubmit',
  tool: 'PostToolUse',
  end: 'Stop',
} as const;
const CURSOR_NAMES: Readonly<Record<ClassicEvent, string>> = {
  start: 'sessionStart',
  prompt: 'beforeSubmitPrompt',
  tool: 'postToolUse',
  end: 'stop',
};
type ClassicEvent = keyof typeof CLAUDE_CODE_NAMES;

function deliverClassic(context: CommandContext, event: ClassicEvent): Promise<ExitCode> {
  const host = String(context.options['host'] ?? 'claude-code');
  const names = host === 'cursor' ? CURSOR_NAMES : CLAUDE_CODE_NAMES;
  return deliverHook(context, host, names[event]);
}

/** Short names of the four classic events, for hosts that are set up by hand. */
const classicEvent = (name: string, event: ClassicEvent, summary: string): Command => ({
  name,
  summary: `${summary} (hook ${CLAUDE_CODE_NAMES[event]}, from stdin)`,
  options: { host: HOST },
  async run(context) {
    if (context.terminal.isInteractive)
      throw new CliError('cli/usage', `${name} reads a host's event from stdin. See: claude-mem help`);
    return deliverClassic(context, event);
  },
});

export const newCommand = classicEvent('new', 'prompt', 'A prompt was submitted');
export const saveCommand = classicEvent('save', 'tool', 'A tool was used');
export const summaryCommand = classicEvent('summary', 'end', 'A turn is over');

export const contextCommand: Command = {
  name: 'context',
  summary: 'Show what a session started here would be told (hook SessionStart, from stdin)',
  options: {
    host: HOST,
    preview: { type: 'boolean', summary: 'Show it, also where stdin is no terminal' },
    prompt: {
      type: 'string',
      value: 'TEXT',
      summary: 'Show what would be given along with a prompt instead',
    },
    file: {
      type: 'string',
      value: 'PATH',
      summary: 'Show what would be given before a file is read instead',
    },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  async run(context) {
    const { terminal, options, worker, cwd } = context;
    const { prompt, file } = options;
    const isAsked = options['preview'] || options['json'] || prompt !== undefined || file !== undefined;
    if (!isAsked && !terminal.isInteractive) return deliverClassic(context, 'start');
    if (prompt !== undefined && file !== undefined)
      throw new CliError('cli/usage', 'Give either --prompt or --file.');
    const preview = await worker.client.previewContext({
      query: {
        cwd,
        ...(typeof prompt === 'string' ? { prompt } : {}),
        ...(typeof file === 'string' ? { file } : {}),
      },
    });
    if (options['json']) terminal.print(JSON.stringify(preview, null, 2));
    else
      tellPreview(
        terminal,
        preview,
        SWITCHES[prompt !== undefined ? 'prompt' : file !== undefined ? 'file' : 'start'],
      );
    return EXIT.done;
  },
};

/** What keeps each text from being given, or lets it be given. */
const SWITCHES = {
  start: 'CLAUDE_MEM_CONTEXT_ENABLED',
  prompt: 'CLAUDE_MEM_RECALL_ON_PROMPT',
  file: 'CLAUDE_MEM_FILE_HISTORY',
} as const;
const MOST_NAMED = 5;

/** The text itself to stdout, what it costs and what was left out beside it. */
function tellPreview(terminal: Terminal, preview: ContextReply, setting: string): void {
  const { project, text, tokens, shown, leftOut, total, isOn, reason } = preview;
  if (text === '') terminal.print(`Nothing would be given.${reason === null ? '' : ` ${reason}`}`);
  else {
    terminal.print(text);
    terminal.complain(`${project.name}: ${shown.length} of ${total} records, about ${tokens} tokens`);
    if (reason !== null) terminal.complain(reason);
  }
  for (const [why, ids] of byReason(leftOut)) {
    const named = ids.slice(0, MOST_NAMED).map((id) => `#${id}`);
    const others = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
    terminal.complain(`Left out, ${why}: ${named.join(', ')}${others}`);
  }
  if (!isOn)
    terminal.complain(`It is not given now: ${setting} is off, capture is off or the project is excluded.`);
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

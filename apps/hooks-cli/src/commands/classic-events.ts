import type { Command, CommandContext, CommandOption } from '../command.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
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
    json: { type: 'boolean', summary: 'As JSON, with what was left out and why' },
  },
  async run(context) {
    const { terminal, options, worker, cwd } = context;
    const isPreview = terminal.isInteractive || options['preview'] || options['json'];
    if (!isPreview) return deliverClassic(context, 'start');
    const preview = await worker.client.previewContext({ query: { cwd } });
    if (options['json']) terminal.print(JSON.stringify(preview, null, 2));
    else if (preview.text === '') terminal.print(`Nothing is remembered of ${preview.project.name} yet.`);
    else {
      terminal.print(preview.text);
      terminal.complain(
        `${preview.project.name}: about ${preview.tokens} tokens, ${preview.shown.length} observations shown, ${preview.leftOut.length} left out`,
      );
    }
    return EXIT.done;
  },
};

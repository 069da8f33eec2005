import type { Command, CommandContext, CommandOption } from '../command.js';
import { CliError } from '../cli-error.js';
import type { ExitCode } from '../exit-codes.js';
import { deliverHook } from './hook.js';

export const HOST: CommandOption = {
  type: 'string',
  value: 'HOST',
  summary: 'Host that fires the event: claude-code, cursor (claude-code)',
};

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

/** Delivers an event to the worker under the event name of its host. */
export function deliverClassic(context: CommandContext, event: ClassicEvent): Promise<ExitCode> {
  const host = String(context.options['host'] ?? 'claude-code');
  const names = host === 'cursor' ? CURSOR_NAMES : CLAUDE_CODE_NAMES;
  return deliverHook(context, host, names[event]);
}

export function refuseTerminal({ terminal }: Pick<CommandContext, 'terminal'>, name: string): void {
  if (terminal.isInteractive)
    throw new CliError(
      'cli/usage',
      `${name} reads the event of a host from stdin. See: claude-mem help ${name}`,
    );
}

/** Short names of the four classic events, for hosts that are configured manually. */
const classicEvent = (name: string, event: ClassicEvent, summary: string): Command => ({
  name,
  summary: `${summary} (hook ${CLAUDE_CODE_NAMES[event]}, from stdin)`,
  options: { host: HOST },
  async run(context) {
    refuseTerminal(context, name);
    return deliverClassic(context, event);
  },
});

export const newCommand = classicEvent('new', 'prompt', 'A prompt was submitted');
export const saveCommand = classicEvent('save', 'tool', 'A tool was used');
export const summaryCommand = classicEvent('summary', 'end', 'A turn is over');

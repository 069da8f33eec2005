import type { Command, CommandOption } from '../command.js';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import { deliverHook } from './hook.js';

const HOST: CommandOption = {
  type: 'string',
  value: 'HOST',
  summary: 'Host that fires the event (claude-code)',
};

/** Short names of the four classic events, for hosts that are set up by hand. */
const classicEvent = (name: string, event: string, summary: string): Command => ({
  name,
  summary: `${summary} (hook ${event}, from stdin)`,
  options: { host: HOST },
  async run(context) {
    if (context.terminal.isInteractive)
      throw new CliError('cli/usage', `${name} reads a host's event from stdin. See: claude-mem help`);
    return deliverHook(context, String(context.options['host'] ?? 'claude-code'), event);
  },
});

export const newCommand = classicEvent('new', 'UserPromptSubmit', 'A prompt was submitted');
export const saveCommand = classicEvent('save', 'PostToolUse', 'A tool was used');
export const summaryCommand = classicEvent('summary', 'Stop', 'A turn is over');

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
    if (!isPreview) return deliverHook(context, String(options['host'] ?? 'claude-code'), 'SessionStart');
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

import { resolve } from 'node:path';
import { shellWord } from '@claude-mem/core';
import { expandPath } from '@claude-mem/settings';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { formatCount } from '../format-count.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';

/** A merge can index many records again. */
const MOVE_TIMEOUT_MS = 10 * 60_000;

export const projectCommand: Command = {
  name: 'project',
  summary: 'Move the records of a project to another folder',
  operands: 'move OLD NEW',
  operandCount: { min: 1, max: 3 },
  details: [
    'Use this after a folder was moved or renamed. OLD is the name of the project or its former folder. NEW is the folder',
    'where you work now. All records move: observations, summaries, prompts, sessions, pins. No file is changed.',
    'A git repository that was moved is found again without this command, by its remote and its first commit.',
  ],
  options: {
    merge: {
      type: 'boolean',
      summary: 'Move the records even if NEW has its own records; this cannot be undone',
    },
    force: { type: 'boolean', summary: 'Move the records even if OLD still exists or NEW does not exist' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const [action, from, to] = context.operands;
    if (action !== 'move')
      throw new CliError(
        'cli/usage',
        `Unknown action "project ${action}". Use: claude-mem project move OLD NEW`,
      );
    if (from === undefined || to === undefined)
      throw new CliError('cli/usage', 'project move needs OLD and NEW. See: claude-mem project --help');
    return move(context, from, to);
  },
};

async function move(context: CommandContext, from: string, to: string): Promise<ExitCode> {
  const { terminal, options, worker } = context;
  await ensureWorker(context);
  const reply = await worker.within(MOVE_TIMEOUT_MS).moveProject({
    body: {
      from,
      fromFolder: resolveFolder(context, from),
      to: resolveFolder(context, to),
      merge: options['merge'] === true,
      force: options['force'] === true,
    },
  });
  if (options['json']) {
    terminal.print(JSON.stringify(reply, null, 2));
    return EXIT.done;
  }
  const { project, isMerged, observations } = reply;
  terminal.print(
    `Moved ${formatCount(observations, 'observation')} from ${reply.from.key} to ${project.key}.`,
  );
  terminal.print(`The project is now called "${project.name}".`);
  if (!isMerged)
    terminal.print(
      `Undo: claude-mem project move --force ${shellWord(project.key)} ${shellWord(reply.from.key)}`,
    );
  return EXIT.done;
}

const resolveFolder = ({ cwd, home }: CommandContext, path: string): string =>
  /^~(?:$|[/\\])/.test(path) ? expandPath(path, home) : resolve(cwd, path);

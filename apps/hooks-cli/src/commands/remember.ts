import { text as readAll } from 'node:stream/consumers';
import { withoutUndefined } from '@claude-mem/core';
import type { RememberRequest } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { parseLinesOption, parseListOption } from '../parse-list-option.js';
import { readIds } from '../read-number.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';

export const rememberCommand: Command = {
  name: 'remember',
  summary: 'Save a record manually',
  operands: '[TEXT… | -]',
  operandCount: { min: 0, max: Infinity },
  details: [
    'Without --title, the first line of TEXT is the title. - reads TEXT from stdin. Saves to the project of the current folder, or to',
    '--project. A text that the project already has is not stored twice. Secrets are removed.',
  ],
  options: {
    title: { type: 'string', value: 'TITLE', summary: 'Title of one line' },
    type: { type: 'string', value: 'TYPE', summary: 'Type, such as decision or bugfix (default discovery)' },
    concept: { type: 'string', isList: true, value: 'CONCEPT,…', summary: 'Concepts, such as gotcha' },
    file: { type: 'string', isList: true, value: 'FILE,…', summary: 'Files of the record' },
    fact: { type: 'string', isLines: true, value: 'FACT', summary: 'Fact; repeat the option for each fact' },
    project: { type: 'string', value: 'PROJECT', summary: 'Name or folder of a project' },
    pin: { type: 'boolean', summary: 'Pin the record, so that contexts show it first' },
    supersedes: {
      type: 'string',
      isList: true,
      value: 'ID,…',
      summary: 'Records that the new record supersedes',
    },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options, worker } = context;
    const body = await readRequest(context);
    await ensureWorker(context);
    const reply = await worker.client.remember({ body });
    for (const note of reply.notes) terminal.warn(`Note: ${note}`);
    if (options['json']) terminal.print(JSON.stringify(reply, null, 2));
    else {
      const { id, title, projectId } = reply.observation;
      const status = reply.isNew ? 'Saved as' : 'Already stored as';
      const projectName = await findProjectName(projectId, context);
      terminal.print(
        `${status} #${id}${projectName === null ? '' : ` in ${projectName}`}: ${title ?? 'untitled'}`,
      );
    }
    return EXIT.done;
  },
};

/** Returns null when the name cannot be read, because the record is saved anyway. */
async function findProjectName(projectId: number, { worker }: CommandContext): Promise<string | null> {
  const { items } = await worker.client.listProjects().catch(() => ({ items: [] }));
  return items.find(({ id }) => id === projectId)?.name ?? null;
}

async function readRequest(context: CommandContext): Promise<RememberRequest> {
  const { operands, options, stdin, cwd } = context;
  const isPiped = operands.length === 1 && operands[0] === '-';
  const text = isPiped ? await readAll(stdin) : operands.join(' ');
  const facts = parseLinesOption(options['fact']);
  const word = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const title = word('title');
  const supersedes = word('supersedes');
  if (text.trim() === '' && title === undefined && facts === undefined)
    throw new CliError(
      'cli/usage',
      'remember needs TEXT…, --title or --fact. See: claude-mem remember --help',
    );
  const project = requestedProject(context);
  return withoutUndefined({
    text: text.trim() === '' ? undefined : text,
    title,
    type: word('type'),
    facts,
    concepts: parseListOption(options['concept']),
    files: parseListOption(options['file']),
    project,
    cwd: project === undefined ? cwd : undefined,
    pinned: options['pin'] ? true : undefined,
    supersedes: supersedes === undefined ? undefined : readIds([supersedes]),
  });
}

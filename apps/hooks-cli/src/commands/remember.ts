import { text as readAll } from 'node:stream/consumers';
import { withoutUndefined } from '@claude-mem/core';
import type { RememberRequest } from '@claude-mem/worker-protocol';
import { askedProject } from '../asked-project.js';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { linesOf, wordsOf } from '../option-lists.js';
import { readIds } from '../read-number.js';
import { needWorker } from '../worker-process/need-worker.js';

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
    type: { type: 'string', value: 'TYPE', summary: 'Type, such as decision or bugfix (discovery)' },
    concept: { type: 'string', isList: true, value: 'CONCEPT,…', summary: 'Concepts, such as gotcha' },
    file: { type: 'string', isList: true, value: 'FILE,…', summary: 'Files of the record' },
    fact: { type: 'string', isLines: true, value: 'FACT', summary: 'Fact; repeat the option for each fact' },
    project: { type: 'string', value: 'PROJECT', summary: 'Name or folder of a project' },
    pin: { type: 'boolean', summary: 'Pin the record, so that contexts show it first' },
    supersedes: { type: 'string', isList: true, value: 'ID,…', summary: 'Records that it supersedes' },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  async run(context) {
    const { terminal, options, worker } = context;
    const body = await requestOf(context);
    await needWorker(context);
    const reply = await worker.client.remember({ body });
    for (const note of reply.notes) terminal.complain(`Note: ${note}`);
    if (options['json']) terminal.print(JSON.stringify(reply, null, 2));
    else {
      const { id, title, projectId } = reply.observation;
      const said = reply.isNew ? 'Saved as' : 'Already stored as';
      const where = await nameOf(projectId, context);
      terminal.print(`${said} #${id}${where === null ? '' : ` in ${where}`}: ${title ?? 'untitled'}`);
    }
    return EXIT.done;
  },
};

/** Null where that cannot be found out: what was saved is saved all the same. */
async function nameOf(projectId: number, { worker }: CommandContext): Promise<string | null> {
  const { items } = await worker.client.listProjects().catch(() => ({ items: [] }));
  return items.find(({ id }) => id === projectId)?.name ?? null;
}

async function requestOf(context: CommandContext): Promise<RememberRequest> {
  const { operands, options, stdin, cwd } = context;
  const isPiped = operands.length === 1 && operands[0] === '-';
  const text = isPiped ? await readAll(stdin) : operands.join(' ');
  const facts = linesOf(options['fact']);
  const word = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const title = word('title');
  const supersedes = word('supersedes');
  if (text.trim() === '' && title === undefined && facts === undefined)
    throw new CliError(
      'cli/usage',
      'remember needs TEXT…, --title or --fact. See: claude-mem remember --help',
    );
  const project = askedProject(context);
  return withoutUndefined({
    text: text.trim() === '' ? undefined : text,
    title,
    type: word('type'),
    facts,
    concepts: wordsOf(options['concept']),
    files: wordsOf(options['file']),
    project,
    cwd: project === undefined ? cwd : undefined,
    pinned: options['pin'] ? true : undefined,
    supersedes: supersedes === undefined ? undefined : readIds([supersedes]),
  });
}

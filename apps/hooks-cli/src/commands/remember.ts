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
    'Without --title the first line of TEXT is one. - reads TEXT from stdin. It belongs to the project of this folder, unless',
    '--project names another. What the project holds word for word is not saved twice. Secrets are left out.',
  ],
  options: {
    title: { type: 'string', value: 'TITLE', summary: 'A title of one line' },
    type: { type: 'string', value: 'TYPE', summary: 'Such as decision or bugfix (discovery)' },
    concept: { type: 'string', isList: true, value: 'CONCEPT,…', summary: 'Such as gotcha' },
    file: { type: 'string', isList: true, value: 'FILE,…', summary: 'Files it is about' },
    fact: { type: 'string', isLines: true, value: 'FACT', summary: 'A fact; give it again for another' },
    project: { type: 'string', value: 'PROJECT', summary: 'Name of a project, or a folder' },
    pin: { type: 'boolean', summary: 'Show it first in every context' },
    supersedes: { type: 'string', isList: true, value: 'ID,…', summary: 'What it takes the place of' },
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
      const said = reply.isNew ? 'Remembered as' : 'Known already as';
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

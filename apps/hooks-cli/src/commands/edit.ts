import type { ObservationChange } from '@claude-mem/worker-protocol';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext, OptionValues } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { linesOf, wordsOf } from '../option-lists.js';
import { readIds } from '../read-number.js';
import { needWorker } from '../worker-process/need-worker.js';

export const editCommand: Command = {
  name: 'edit',
  summary: 'Change what an observation says',
  operands: 'ID',
  operandCount: { min: 1, max: 1 },
  details: ["What is not given stays. Lists are replaced; '' empties a field."],
  options: {
    title: { type: 'string', value: 'TITLE', summary: 'Another title' },
    subtitle: { type: 'string', value: 'SUBTITLE', summary: 'Another line below it' },
    type: { type: 'string', value: 'TYPE', summary: 'Another type' },
    narrative: { type: 'string', value: 'TEXT', summary: 'Another text' },
    fact: { type: 'string', isLines: true, value: 'FACT', summary: 'Facts instead of all; one each time' },
    concept: { type: 'string', isList: true, value: 'CONCEPT,…', summary: 'Concepts instead of all' },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  async run(context) {
    const [id = 0] = readOne(context.operands[0] ?? '');
    const body = changeOf(context.options);
    if (Object.keys(body).length === 0)
      throw new CliError('cli/usage', 'edit needs something to change. See: claude-mem edit --help');
    return change(context, [[id, body]], 'Changed');
  },
};

export const pinCommand: Command = {
  name: 'pin',
  summary: 'Show observations first in every context of their project',
  operands: 'ID…',
  operandCount: { min: 1, max: 50 },
  details: [
    'A context shows the pinned ones first, newest first, as far as its budget reaches; claude-mem context shows which',
    'they are. A project can have 50 of them.',
  ],
  options: { json: { type: 'boolean', summary: 'As JSON' } },
  run: (context) => changeAll(context, { pinned: true }, 'Pinned'),
};

export const unpinCommand: Command = {
  name: 'unpin',
  summary: 'Take that back',
  operands: 'ID…',
  operandCount: { min: 1, max: 50 },
  options: { json: { type: 'boolean', summary: 'As JSON' } },
  run: (context) => changeAll(context, { pinned: false }, 'Unpinned'),
};

export const supersedeCommand: Command = {
  name: 'supersede',
  summary: 'Say that an observation took the place of another',
  operands: 'OLD',
  operandCount: { min: 1, max: 1 },
  details: ['OLD stays in the memory and is found behind the newer one; no context shows it.'],
  options: {
    by: { type: 'string', value: 'NEW', summary: 'What took its place' },
    undo: { type: 'boolean', summary: 'OLD counts again' },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  async run(context) {
    const { operands, options } = context;
    const [old = 0] = readOne(operands[0] ?? '');
    const by = typeof options['by'] === 'string' ? (readOne(options['by'])[0] ?? 0) : null;
    if ((by === null) === !options['undo'])
      throw new CliError('cli/usage', 'supersede needs --by NEW, or --undo.');
    const what = by === null ? 'Counts again' : `Superseded by #${by}`;
    return change(context, [[old, { supersededBy: by }]], what);
  },
};

function readOne(word: string): readonly number[] {
  const ids = readIds([word]);
  if (ids.length > 1) throw new CliError('cli/usage', `"${word}" is more than one id.`);
  return ids;
}

function changeOf(options: OptionValues): ObservationChange {
  const text = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? { [name]: value === '' ? null : value } : {};
  };
  const facts = linesOf(options['fact']);
  const concepts = wordsOf(options['concept']);
  const { type } = options;
  return {
    ...text('title'),
    ...text('subtitle'),
    ...text('narrative'),
    ...(typeof type === 'string' ? { type } : {}),
    ...(facts ? { facts } : {}),
    ...(concepts ? { concepts } : {}),
  };
}

const changeAll = (context: CommandContext, body: ObservationChange, what: string) =>
  change(
    context,
    [...new Set(readIds(context.operands))].map((id) => [id, body] as const),
    what,
  );

/** One after the other: what was done before one cannot be stays, and is said. */
async function change(
  context: CommandContext,
  changes: readonly (readonly [id: number, body: ObservationChange])[],
  what: string,
): Promise<ExitCode> {
  const { terminal, options, worker } = context;
  await needWorker(context);
  for (const [id, body] of changes) {
    const observation = await worker.client.editObservation({ params: { id }, body });
    for (const note of observation.notes) terminal.complain(`Note: ${note}`);
    if (options['json']) terminal.print(JSON.stringify(observation, null, 2));
    else terminal.print(`${what}: #${id} ${observation.title ?? 'untitled'}`);
  }
  return EXIT.done;
}

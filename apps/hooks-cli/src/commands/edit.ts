import type { ObservationChange } from '@claude-mem/worker-protocol';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext, OptionValues } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { parseLinesOption, parseListOption } from '../parse-list-option.js';
import { readIds } from '../read-number.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';

export const editCommand: Command = {
  name: 'edit',
  summary: 'Edit the text of an observation',
  operands: 'ID',
  operandCount: { min: 1, max: 1 },
  details: ["Changes only the fields that you set. Lists are replaced; '' empties a field."],
  options: {
    title: { type: 'string', value: 'TITLE', summary: 'New title' },
    subtitle: { type: 'string', value: 'SUBTITLE', summary: 'New subtitle' },
    type: { type: 'string', value: 'TYPE', summary: 'New type' },
    narrative: { type: 'string', value: 'TEXT', summary: 'New narrative' },
    fact: {
      type: 'string',
      isLines: true,
      value: 'FACT',
      summary: 'New list of facts; repeat the option for each fact',
    },
    concept: { type: 'string', isList: true, value: 'CONCEPT,…', summary: 'New list of concepts' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const [id = 0] = readSingleId(context.operands[0] ?? '');
    const body = readChange(context.options);
    if (Object.keys(body).length === 0)
      throw new CliError('cli/usage', 'edit needs at least one field to change. See: claude-mem edit --help');
    return change(context, [[id, body]], 'Changed');
  },
};

export const pinCommand: Command = {
  name: 'pin',
  summary: 'Pin observations, so that contexts of their project show them first',
  operands: 'ID…',
  operandCount: { min: 1, max: 50 },
  details: [
    'A context shows pinned records first, newest first, up to its token limit. claude-mem context lists them. A project can',
    'have 50 pinned records.',
  ],
  options: { json: { type: 'boolean', summary: 'Print JSON' } },
  run: (context) => changeAll(context, { pinned: true }, 'Pinned'),
};

export const unpinCommand: Command = {
  name: 'unpin',
  summary: 'Unpin observations',
  operands: 'ID…',
  operandCount: { min: 1, max: 50 },
  options: { json: { type: 'boolean', summary: 'Print JSON' } },
  run: (context) => changeAll(context, { pinned: false }, 'Unpinned'),
};

export const supersedeCommand: Command = {
  name: 'supersede',
  summary: 'Mark an observation as superseded by another',
  operands: 'OLD',
  operandCount: { min: 1, max: 1 },
  details: ['OLD stays in the memory, and search ranks it after NEW. Contexts no longer show it.'],
  options: {
    by: { type: 'string', value: 'NEW', summary: 'Observation that supersedes OLD' },
    undo: { type: 'boolean', summary: 'Make OLD valid again' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { operands, options } = context;
    const [old = 0] = readSingleId(operands[0] ?? '');
    const by = typeof options['by'] === 'string' ? (readSingleId(options['by'])[0] ?? 0) : null;
    if ((by === null) === !options['undo'])
      throw new CliError('cli/usage', 'supersede needs --by NEW, or --undo.');
    const label = by === null ? 'Valid again' : `Superseded by #${by}`;
    return change(context, [[old, { supersededBy: by }]], label);
  },
};

function readSingleId(word: string): readonly number[] {
  const ids = readIds([word]);
  if (ids.length > 1) throw new CliError('cli/usage', `"${word}" contains more than one id.`);
  return ids;
}

function readChange(options: OptionValues): ObservationChange {
  const text = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? { [name]: value === '' ? null : value } : {};
  };
  const facts = parseLinesOption(options['fact']);
  const concepts = parseListOption(options['concept']);
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

const changeAll = (context: CommandContext, body: ObservationChange, label: string) =>
  change(
    context,
    [...new Set(readIds(context.operands))].map((id) => [id, body] as const),
    label,
  );

/** Applies the changes one by one. Earlier changes stay when a later one fails. */
async function change(
  context: CommandContext,
  changes: readonly (readonly [id: number, body: ObservationChange])[],
  label: string,
): Promise<ExitCode> {
  const { terminal, options, worker } = context;
  await ensureWorker(context);
  for (const [id, body] of changes) {
    const observation = await worker.client.editObservation({ params: { id }, body });
    for (const note of observation.notes) terminal.warn(`Note: ${note}`);
    if (options['json']) terminal.print(JSON.stringify(observation, null, 2));
    else terminal.print(`${label}: #${id} ${observation.title ?? 'untitled'}`);
  }
  return EXIT.done;
}

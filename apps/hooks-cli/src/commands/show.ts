import type { Observation } from '@claude-mem/core';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openOfflineMemory, throughWorkerOr } from '../offline-memory.js';
import { readIds } from '../read-number.js';
import { textOfTime } from '../text-of-time.js';

export const showCommand: Command = {
  name: 'show',
  summary: 'Show observations in full',
  operands: 'ID…',
  operandCount: { min: 1, max: 500 },
  options: { json: { type: 'boolean', summary: 'As JSON' } },
  async run(context) {
    const { terminal, options, operands } = context;
    const ids = readIds(operands);
    const found = new Map((await read(context, ids)).map((observation) => [observation.id, observation]));
    const items = ids.flatMap((id) => found.get(id) ?? []);
    if (options['json']) terminal.print(JSON.stringify(items, null, 2));
    else if (items.length > 0) terminal.print(items.map(render).join('\n\n'));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return EXIT.done;
    terminal.complain(`Not there: ${missing.map((id) => `#${id}`).join(', ')}`);
    return EXIT.failed;
  },
};

function read(context: CommandContext, ids: readonly number[]): Promise<readonly Observation[]> {
  const { worker } = context;
  const limit = Math.min(500, ids.length);
  return throughWorkerOr(
    context,
    async () => (await worker.client.listObservations({ query: { ids: ids.join(','), limit } })).items,
    async () => {
      await using memory = openOfflineMemory(context);
      return memory === null ? [] : (await memory.store.listObservations({ ids, limit })).items;
    },
  );
}

function render(observation: Observation): string {
  const { id, type, title, subtitle, narrative, createdAtEpoch, sessionId, promptNumber } = observation;
  const lists = [
    ['Facts', observation.facts],
    ['Concepts', observation.concepts],
    ['Files read', observation.filesRead],
    ['Files modified', observation.filesModified],
  ] as const;
  return [
    `#${id} ${type}: ${title ?? 'untitled'}`,
    ...(subtitle ? [subtitle] : []),
    [
      textOfTime(createdAtEpoch),
      `session ${sessionId}`,
      ...(promptNumber > 0 ? [`turn ${promptNumber}`] : []),
      ...(observation.source === 'manual' ? ['saved by hand'] : []),
      ...(observation.pinned ? ['pinned'] : []),
      ...(observation.supersededBy === null ? [] : [`superseded by #${observation.supersededBy}`]),
    ].join(', '),
    ...(narrative ? ['', narrative] : []),
    ...lists.flatMap(([name, items]) =>
      items.length > 0 ? ['', `${name}:`, ...items.map((item) => `- ${item}`)] : [],
    ),
  ].join('\n');
}

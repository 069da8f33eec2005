import { renderRecords, type PastRecord } from '@claude-mem/context-render/mcp';
import { ids, type RecordId } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import type { MemoryReader } from '../memory/memory-reader.js';
import { formatFallback } from './scope.js';
import { defineTool, READS } from './tool.js';

export const getObservations = defineTool({
  name: 'get_observations',
  title: 'Read observations',
  description:
    'Step 3: Returns complete records by id, with narrative, facts and files. search_memory shows the tokens of each record. Request only relevant records, all in one call.',
  input: defineInput({
    ids: ids(
      'Ids from search_memory, timeline or the session context, such as ["#12", "#15"]; S12 and P12 too',
    ),
  }),
  annotations: READS,
  async run(input, { memory, timeZone }) {
    const { value, fallbackReason } = await memory.read((reader) => readRecords(reader, input.ids));
    const found = new Set(value.map(({ kind, item }) => `${kind} ${item.id}`));
    const missing = input.ids.filter(({ kind, id }) => !found.has(`${kind} ${id}`)).map(formatId);
    if (value.length === 0)
      throw new McpError('mcp/not-found', `Not found: ${missing.join(', ')}. Use search_memory to find ids.`);
    const notes = fallbackReason === null ? [] : [formatFallback(fallbackReason)];
    return { text: renderRecords({ records: value, missing, notes, timeZone: timeZone() }) };
  },
});

/** Returns the records in the order of the ids. */
async function readRecords(reader: MemoryReader, requested: readonly RecordId[]): Promise<PastRecord[]> {
  const observationIds = requested.filter(({ kind }) => kind === 'observation').map(({ id }) => id);
  const others = requested.filter(({ kind }) => kind !== 'observation');
  const [projects, observations, ...rest] = await Promise.all([
    reader.projects(),
    observationIds.length === 0 ? [] : reader.observations(observationIds),
    ...others.map((one) => readRecord(reader, one)),
  ]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const records = new Map<string, PastRecord>();
  for (const item of observations)
    records.set(`observation ${item.id}`, {
      kind: 'observation',
      item,
      project: names.get(item.projectId) ?? '',
    });
  for (const record of rest) if (record) records.set(`${record.kind} ${record.item.id}`, record);
  return requested.flatMap(({ kind, id }) => records.get(`${kind} ${id}`) ?? []);
}

/** A timeline without neighbours contains only the record of the anchor. */
async function readRecord(reader: MemoryReader, requested: RecordId): Promise<PastRecord | null> {
  const { records, anchorIndex } = await reader.timeline({
    anchor: formatId(requested),
    before: 0,
    after: 0,
  });
  return (anchorIndex === null ? undefined : records[anchorIndex]) ?? null;
}

const formatId = ({ kind, id }: RecordId) => `${{ observation: '#', summary: 'S', prompt: 'P' }[kind]}${id}`;

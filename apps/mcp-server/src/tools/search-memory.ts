import { renderSearch, type PastRecord, type SearchRendering } from '@claude-mem/context-render/mcp';
import { choice, choices, count, sessionId, text, words } from '../input/fields.js';
import { HOST_NAMES, toInstant } from '@claude-mem/core';
import { defineInput } from '../input/define-input.js';
import { defineOutput } from '../input/define-output.js';
import { explainNoResults, listNotes, projectField, resolveScope } from './scope.js';
import { defineTool, READS } from './tool.js';

export const searchMemory = defineTool({
  name: 'search_memory',
  title: 'Search memory',
  description:
    'Step 1: Searches records of earlier sessions, best first. Returns id, date, type, title, and the tokens of the complete record. The query is plain text without syntax; search is lexical and semantic. Without query: newest first. Next: timeline around an id, or get_observations for the relevant ids.',
  input: defineInput({
    query: text('Plain text to search for'),
    kind: choice('Kind of records to search', ['observations', 'sessions', 'prompts', 'all'], 'observations'),
    project: projectField,
    type: words('Only these types, such as bugfix, decision, feature, refactor, discovery, change'),
    concepts: words('Only with one of these concepts, such as gotcha, how-it-works, trade-off'),
    files: words(
      'Only records about these files: an absolute path, a path in the project, the end of a path, or a folder/',
    ),
    host: choices('Only from these hosts', HOST_NAMES),
    date_from: text('Earliest date or ISO time, such as 2026-11-28'),
    date_to: text('Latest date or ISO time'),
    session: sessionId('Only this session'),
    order_by: choice('Order of the results: best or newest first', ['relevance', 'date'], 'relevance'),
    limit: count('Number of results', { min: 1, max: 50, defaultValue: 10 }),
    offset: count('Number of results to skip', { min: 0, max: 10_000, defaultValue: 0 }),
  }),
  output: defineOutput<SearchRendering['structured']>(
    {
      note: { type: 'string', description: 'Scope of the results' },
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Id for get_observations and timeline' },
            date: { type: 'string' },
            type: { type: 'string' },
            title: { type: 'string' },
            origin: {
              type: 'string',
              description: 'Origin of a saved record: saved manually, or saved by an agent',
            },
            tokens: { type: 'integer', description: 'Tokens of the complete record' },
            project: { type: 'string' },
          },
          required: ['id', 'date', 'type', 'title', 'tokens'],
        },
      },
      nextOffset: { type: 'integer', description: 'Offset of the next page' },
    },
    ['note', 'results'],
  ),
  annotations: READS,
  async run(input, context) {
    const { query, kind, type, concepts, files, host, session, limit, offset } = input;
    const scope = await resolveScope(
      session === undefined ? input.project : (input.project ?? 'all'),
      context,
    );
    const answer = await context.memory.read((reader) =>
      reader.search({
        kind,
        query,
        project: scope.project,
        type,
        concepts,
        files,
        host,
        session,
        dateFrom: input.date_from === undefined ? undefined : toInstant(input.date_from, 'start'),
        dateTo: input.date_to === undefined ? undefined : toInstant(input.date_to, 'end'),
        // without a query, results are always ordered by date
        ...(query === undefined ? {} : { orderBy: input.order_by }),
        limit,
        offset,
      }),
    );
    const { records, nextOffset } = answer.value;
    const notes = listNotes(answer);
    if (records.length === 0) notes.unshift(await explainNoResults(scope, context));
    // a record of the type can be on another page
    const unknown =
      nextOffset === null && offset === 0 ? unknownTypes(type ?? [], { records, types: context.types }) : [];
    if (unknown.length > 0)
      notes.unshift(`No result has the type ${unknown.join(', ')}. Types: ${context.types.join(', ')}.`);
    const { text, structured } = renderSearch({
      found: records,
      project: scope.name,
      notes,
      nextOffset,
      timeZone: context.timeZone(),
    });
    return { text, structured };
  },
});

/** Returns the requested types that neither the mode nor a result has. */
function unknownTypes(
  requested: readonly string[],
  { records, types }: { records: readonly PastRecord[]; types: readonly string[] },
): string[] {
  const known = new Set(types);
  for (const { kind, item } of records) if (kind === 'observation') known.add(item.type);
  return requested.filter((type) => !known.has(type.toLowerCase())).map((type) => `"${type.slice(0, 40)}"`);
}

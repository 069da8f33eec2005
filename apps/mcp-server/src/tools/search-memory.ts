import { renderSearch, type PastRecord, type SearchRendering } from '@claude-mem/context-render/mcp';
import { choice, choices, count, sessionId, text, words } from '../input/fields.js';
import { HOST_NAMES, toInstant } from '@claude-mem/core';
import { defineInput } from '../input/define-input.js';
import { defineOutput } from '../input/define-output.js';
import { nothingFound, notesOf, projectField, scopeOf } from './scope.js';
import { defineTool, READS } from './tool.js';

export const searchMemory = defineTool({
  name: 'search_memory',
  title: 'Search memory',
  description:
    'Step 1: an index of what is remembered of earlier sessions, best first: id, date, type, title, and what reading it all costs in tokens. Plain words, no grammar; meaning counts too. Without query: the newest. Then timeline around an id, or get_observations for the few that matter.',
  input: defineInput({
    query: text('What to look for, in plain words'),
    kind: choice('What is searched', ['observations', 'sessions', 'prompts', 'all'], 'observations'),
    project: projectField,
    type: words('Only of these types, such as bugfix, decision, feature, refactor, discovery, change'),
    concepts: words('Only with one of these concepts, such as gotcha, how-it-works, trade-off'),
    files: words('Only about these files: a path, the end of one, or a folder/'),
    host: choices('Only from these hosts', HOST_NAMES),
    date_from: text('Not older: 2026-11-28, or an ISO time'),
    date_to: text('Not newer'),
    session: sessionId('Only of this session'),
    order_by: choice('Best or newest first', ['relevance', 'date'], 'relevance'),
    limit: count('How many', { min: 1, max: 50, otherwise: 10 }),
    offset: count('How many to skip', { min: 0, max: 10_000, otherwise: 0 }),
  }),
  output: defineOutput<SearchRendering['structured']>(
    {
      note: { type: 'string', description: 'What the results are' },
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'For get_observations and timeline' },
            date: { type: 'string' },
            type: { type: 'string' },
            title: { type: 'string' },
            origin: { type: 'string', description: 'Who saved it, if somebody did' },
            tokens: { type: 'integer', description: 'What reading it all costs' },
            project: { type: 'string' },
          },
          required: ['id', 'date', 'type', 'title', 'tokens'],
        },
      },
      nextOffset: { type: 'integer', description: 'offset of the next page' },
    },
    ['note', 'results'],
  ),
  annotations: READS,
  async run(input, context) {
    const { query, kind, type, concepts, files, host, session, limit, offset } = input;
    const scope = await scopeOf(session === undefined ? input.project : (input.project ?? 'all'), context);
    const answer = await context.memory.ask((reader) =>
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
        // without a query there is nothing but the date to order by
        ...(query === undefined ? {} : { orderBy: input.order_by }),
        limit,
        offset,
      }),
    );
    const { records, nextOffset } = answer.value;
    const notes = notesOf(answer);
    if (records.length === 0) notes.unshift(await nothingFound(scope, context));
    // one that is asked for beside others may come on a later page
    const unknown =
      nextOffset === null && offset === 0 ? unknownTypes(type ?? [], { records, types: context.types }) : [];
    if (unknown.length > 0)
      notes.unshift(`Nothing found has the type ${unknown.join(', ')}. Types: ${context.types.join(', ')}.`);
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

/** Types that are asked for and that neither the mode nor a record that was found has. */
function unknownTypes(
  asked: readonly string[],
  { records, types }: { records: readonly PastRecord[]; types: readonly string[] },
): string[] {
  const known = new Set(types);
  for (const { kind, item } of records) if (kind === 'observation') known.add(item.type);
  return asked.filter((type) => !known.has(type.toLowerCase())).map((type) => `"${type.slice(0, 40)}"`);
}

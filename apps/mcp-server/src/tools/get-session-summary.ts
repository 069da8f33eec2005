import { renderSessionSummary, type PastRecord } from '@claude-mem/context-render/mcp';
import { sessionId } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import { nothingFound, notesOf, projectField, scopeOf } from './scope.js';
import { defineTool, READS } from './tool.js';

/** The newest session is often the one that asks, and has no summary yet. */
const NEWEST = 10;
const RECORDS = 30;

export const getSessionSummary = defineTool({
  name: 'get_session_summary',
  title: 'Session summary',
  description:
    'What a session was asked, learned and left open, and an index of its records. Without session: the last one of the project that has a summary, to go on where work stopped.',
  input: defineInput({
    session: sessionId('Number of a session (12), or the host’s id of it'),
    project: projectField,
  }),
  annotations: READS,
  async run({ session, project }, context) {
    const scope = await scopeOf(session === undefined ? project : (project ?? 'all'), context);
    const found = await context.memory.ask((reader) =>
      reader.search({
        kind: 'sessions',
        session,
        project: scope.project,
        limit: session === undefined ? NEWEST : 1,
        offset: 0,
      }),
    );
    const sessions = found.value.records.flatMap((record) => (record.kind === 'session' ? [record] : []));
    const chosen = sessions.find(({ item }) => item.summary !== null) ?? sessions[0];
    if (chosen === undefined)
      throw new McpError(
        'mcp/not-found',
        session === undefined
          ? await nothingFound(scope, context)
          : `There is no session ${session.slice(0, 60)}. search_memory with kind "sessions" finds them.`,
      );
    const records = await context.memory.ask((reader) =>
      reader.search({ kind: 'observations', session: String(chosen.item.id), limit: RECORDS, offset: 0 }),
    );
    return {
      text: renderSessionSummary({
        session: chosen.item,
        project: chosen.project,
        records: records.value.records.filter(
          (record): record is PastRecord => record.kind === 'observation',
        ),
        notes: notesOf({ value: { notes: [] }, without: found.without }),
        timeZone: context.timeZone(),
      }),
    };
  },
});

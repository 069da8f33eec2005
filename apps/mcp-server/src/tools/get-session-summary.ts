import { renderSessionSummary, type PastRecord } from '@claude-mem/context-render/mcp';
import { sessionId } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import { explainNoResults, listNotes, projectField, resolveScope } from './scope.js';
import { defineTool, READS } from './tool.js';

const RECORDS = 30;

export const getSessionSummary = defineTool({
  name: 'get_session_summary',
  title: 'Session summary',
  description:
    'Returns the request, the findings and the open steps of a session, and a list of its records. Without session: the last session of the project that has a summary. Use it to continue earlier work.',
  input: defineInput({
    session: sessionId('Number of a session (12), or its id in the host'),
    project: projectField,
  }),
  annotations: READS,
  async run({ session, project }, context) {
    const scope = await resolveScope(session === undefined ? project : (project ?? 'all'), context);
    const found = await context.memory.read(async (reader) => {
      const last = session === undefined ? await reader.lastSummarizedSession(scope.project) : null;
      return reader.search({
        kind: 'sessions',
        // without a summary, the search returns the newest session
        session: last === null ? session : String(last),
        project: scope.project,
        limit: 1,
        offset: 0,
      });
    });
    const [result] = found.value.records;
    if (result?.kind !== 'session')
      throw new McpError(
        'mcp/not-found',
        session === undefined
          ? await explainNoResults(scope, context)
          : `Session ${session.slice(0, 60)} not found. Use search_memory with kind "sessions".`,
      );
    const records = await context.memory.read((reader) =>
      reader.search({ kind: 'observations', session: String(result.item.id), limit: RECORDS, offset: 0 }),
    );
    return {
      text: renderSessionSummary({
        session: result.item,
        project: result.project,
        records: records.value.records.filter(
          (record): record is PastRecord => record.kind === 'observation',
        ),
        notes: listNotes({ value: { notes: [] }, fallbackReason: found.fallbackReason }),
        timeZone: context.timeZone(),
      }),
    };
  },
});

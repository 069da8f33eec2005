import { renderTimeline } from '@claude-mem/context-render/mcp';
import { toInstant } from '@claude-mem/core';
import { count, text } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { InputError } from '../input/input-error.js';
import { McpError } from '../mcp-error.js';
import { explainNoResults, listNotes, projectField, resolveScope } from './scope.js';
import { defineTool, READS } from './tool.js';

export const timeline = defineTool({
  name: 'timeline',
  title: 'Timeline',
  description:
    'Step 2: Lists the records before and after a record, a time, or the best search result, oldest first, one line each. Use it to find causes and consequences. Next: get_observations for the relevant ids.',
  input: defineInput({
    anchor: text('Id of a record (12, "#12"), "S12" a summary, "P12" a prompt, or an ISO date or time'),
    query: text('Instead of anchor: the best search result for these words'),
    before: count('Number of entries before the anchor', { min: 0, max: 50, defaultValue: 6 }),
    after: count('Number of entries after the anchor', { min: 0, max: 50, defaultValue: 6 }),
    project: projectField,
  }),
  annotations: READS,
  async run({ anchor, query, before, after, project }, context) {
    if (anchor === undefined && query === undefined)
      throw new InputError('timeline needs anchor (an id such as "#12", or a time) or query.');
    const scope = await resolveScope(project, context);
    const around = anchor === undefined ? { query: query ?? '' } : normalizeAnchor(anchor);
    const ask = (projectFilter: string | undefined) =>
      context.memory.read((reader) =>
        reader.timeline({ anchor: around, before, after, project: projectFilter }),
      );
    let answer = await ask(scope.project);
    let name = scope.name;
    // the id can belong to another project
    if (answer.value.anchorIndex === null && typeof around === 'string' && scope.isDefault) {
      answer = await ask(undefined);
      name = null;
    }
    const { records, anchorIndex } = answer.value;
    if (anchorIndex === null)
      throw new McpError(
        'mcp/not-found',
        typeof around === 'string'
          ? `Record ${around.slice(0, 60)} not found. Use search_memory to find ids.`
          : await explainNoResults(scope, context),
      );
    return {
      text: renderTimeline({
        entries: records,
        anchorIndex,
        project: name,
        notes: listNotes(answer),
        now: context.now(),
        timeZone: context.timeZone(),
      }),
    };
  },
});

/** Accepts a single id that a model writes as a list. */
const normalizeAnchor = (anchor: string) =>
  /^\[?\s*"?([#SP]*\d+)"?\s*\]?$/i.exec(anchor)?.[1] ?? toInstant(anchor, 'start');

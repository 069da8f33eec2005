import { NEUTRAL_PROJECT } from '@claude-mem/core';
import { formatProjectName } from '@claude-mem/context-render/mcp';
import { flag, ids } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import { observationIds } from './observation-ids.js';
import { writeThroughWorker } from './write-through-worker.js';
import { defineTool } from './tool.js';

/** A day: time for the person to notice what an agent deleted. */
const UNDO_SECONDS = 86_400;

export const forget = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Deletes records of this project, by id, from every index and context. Use it only when the person asks for it. Refuses records that are pinned or saved manually. The person can undo the deletion for one day. With dry_run, only lists the records.',
  input: defineInput({
    ids: ids('Ids of observations, such as ["#12"]'),
    dry_run: flag('Only list the records that would be deleted'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(input, context) {
    const projectKey = (await context.currentProject())?.key ?? NEUTRAL_PROJECT.key;
    const body = {
      ids: observationIds(input.ids, 'ids'),
      within: projectKey,
      forgottenBy: 'agent' as const,
      dryRun: input.dry_run,
    };
    const {
      observations,
      titles,
      missing = [],
      undo,
      notes,
    } = await writeThroughWorker(context, (worker) =>
      worker.forget({ body: { ...body, undoSeconds: UNDO_SECONDS } }),
    );
    if (observations === 0)
      throw new McpError('mcp/not-found', 'None of these ids was found in this project.');
    const titleList = titles.map(({ id, title }) => `#${id} "${formatProjectName(title ?? 'untitled')}"`);
    const more = observations > titles.length ? [`and ${observations - titles.length} more`] : [];
    const result = `${input.dry_run ? 'Would be deleted' : 'Deleted'}: ${[...titleList, ...more].join(', ')}.`;
    const notFound =
      missing.length > 0 ? [`Not in this project: ${missing.map((id) => `#${id}`).join(', ')}.`] : [];
    const undoNote =
      undo === null
        ? []
        : [`The person can undo the deletion for one day: claude-mem forget --undo ${undo.forgetId}`];
    return { text: [result, ...notFound, ...notes, ...undoNote].join(' ') };
  },
});

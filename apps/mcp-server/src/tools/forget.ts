import { projectName } from '@claude-mem/context-render/mcp';
import { flag, ids } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import { observationIds } from './observation-ids.js';
import { throughWorker } from './through-worker.js';
import { defineTool } from './tool.js';

export const forget = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Deletes records for good, by id, from every index and context. Only when the person asks for it. With dry_run it only says which.',
  input: defineInput(
    {
      ids: ids('Ids of observations, such as ["#12"]'),
      dry_run: flag('Only say what would be forgotten'),
    },
    { refusesUnknown: true },
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(input, context) {
    const {
      observations,
      titles,
      missing = [],
      notes,
    } = await throughWorker(context, (worker) =>
      worker.forget({ body: { ids: observationIds(input.ids, 'ids'), dryRun: input.dry_run } }),
    );
    if (observations === 0) throw new McpError('mcp/not-found', 'None of these ids is there.');
    const named = titles.map(({ id, title }) => `#${id} "${projectName(title ?? 'untitled')}"`);
    const more = observations > titles.length ? [`and ${observations - titles.length} more`] : [];
    const said = `${input.dry_run ? 'Would be forgotten' : 'Forgotten'}: ${[...named, ...more].join(', ')}.`;
    const notThere = missing.length > 0 ? [`Not there: ${missing.map((id) => `#${id}`).join(', ')}.`] : [];
    return { text: [said, ...notThere, ...notes].join(' ') };
  },
});

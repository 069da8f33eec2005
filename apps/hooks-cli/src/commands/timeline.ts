import { parseMoment, toInstant } from '@claude-mem/core';
import type { TimelineReply } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { formatTimelineItem, projectColumnWidth } from '../format-items.js';
import { reportDegraded } from '../report-degraded.js';
import { throughWorkerOr } from '../offline-memory.js';
import { openOfflineSearch } from '../offline-search.js';
import { readNumber } from '../read-number.js';

export const timelineCommand: Command = {
  name: 'timeline',
  summary: 'Show the records around a record, a time, or the best search result',
  operands: 'ID | TIME | WORDS…',
  operandCount: { min: 1, max: Infinity },
  details: ['ID is an observation (12, #12), a summary (S12) or a prompt (P12).'],
  options: {
    before: { type: 'string', value: 'N', summary: 'Number of records before it (default 10)' },
    after: { type: 'string', value: 'N', summary: 'Number of records after it (default 10)' },
    project: { type: 'string', value: 'PROJECT', summary: 'Only this project: name or folder' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options } = context;
    const timeline = await read(context);
    const isUnknown = timeline.anchorIndex === null && RECORD_ID.test(context.operands.join(' ').trim());
    reportDegraded(context, timeline.degraded);
    if (options['json']) terminal.print(JSON.stringify(timeline, null, 2));
    else if (isUnknown) terminal.warn(`Not found: ${context.operands.join(' ')}.`);
    else if (timeline.anchorIndex === null) terminal.print('Nothing found.');
    else {
      const width = projectColumnWidth(timeline.items, context);
      for (const [index, entry] of timeline.items.entries())
        terminal.print(`${index === timeline.anchorIndex ? '>' : ' '} ${formatTimelineItem(entry, width)}`);
    }
    return isUnknown ? EXIT.failed : EXIT.done;
  },
};

type Timeline = Pick<TimelineReply, 'items' | 'anchorIndex' | 'degraded'>;

async function read(context: CommandContext): Promise<Timeline> {
  const { operands, options, worker } = context;
  const words = operands.join(' ').trim();
  if (words === '') throw new CliError('cli/usage', 'timeline needs ID, TIME or WORDS.');
  const isTime = TIME.test(words);
  if (isTime && parseMoment(words) === null)
    throw new CliError(
      'cli/usage',
      `"${words}" is not a date or a time. Use 2026-11-28 or 2026-11-28T14:30, with Z or +01:00 if the time is not local.`,
    );
  const isAnchor = isTime || RECORD_ID.test(words);
  const project = requestedProject(context);
  const request = {
    before: readNumber(options['before'], 'before', { min: 0, max: 100 }) ?? 10,
    after: readNumber(options['after'], 'after', { min: 0, max: 100 }) ?? 10,
    ...(project === undefined ? {} : { project }),
  };
  return throughWorkerOr(
    context,
    async () => {
      const { items, anchorIndex, degraded } = await worker.client.timeline({
        query: { ...request, ...(isAnchor ? { anchor: toInstant(words, 'start') } : { query: words }) },
      });
      return { items, anchorIndex, degraded };
    },
    async () => {
      await using memory = await openOfflineSearch(context);
      if (memory === null) return { items: [], anchorIndex: null, degraded: [] };
      const { entries, anchorIndex, degraded } = await memory.timeline({
        ...request,
        anchor: isAnchor ? words : { query: words },
      });
      return { items: [...entries], anchorIndex, degraded };
    },
  );
}

const RECORD_ID = /^[#SP]?\d+$/i;
const TIME = /^\d{4}-\d{2}-\d{2}([T ].*)?$/i;

import { formatStaleFile, toSingleLine } from '@claude-mem/core';
import type { RouteReply } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { projectColumnWidth } from '../format-items.js';
import { readNumber } from '../read-number.js';

export const staleCommand: Command = {
  name: 'stale',
  summary: 'List records whose files were changed, moved or deleted since',
  details: [
    'The worker compares records with the files that are checked out when it is idle. Records that are not listed match their files, or',
    'nothing is known about them. Correct a record with "claude-mem edit", or delete it with "claude-mem forget".',
  ],
  options: {
    project: { type: 'string', value: 'PROJECT', summary: 'Only this project: name or folder' },
    limit: { type: 'string', value: 'N', summary: 'Maximum number of results (default 100)' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options, worker } = context;
    const project = requestedProject(context);
    const limit = readNumber(options['limit'], 'limit', { min: 1, max: 500 }) ?? 100;
    const { items } = await worker.client.listStale({ query: { limit, ...(project && { project }) } });
    if (options['json']) terminal.print(JSON.stringify({ items: items.map(toRow) }, null, 2));
    else if (items.length === 0) terminal.print('No record is known to be outdated.');
    else {
      const width = projectColumnWidth(items, context);
      for (const one of items) terminal.print(render(one, width));
    }
    return EXIT.done;
  },
};

type Stale = RouteReply<'listStale'>['items'][number];

function toRow({ project, item: { id, type, title, freshness } }: Stale) {
  return { id, project, type, title, ...freshness };
}

function render({ project, item: { id, title, freshness } }: Stale, width: number): string {
  const column = width === 0 ? '' : `${project.padEnd(width)}  `;
  const files = freshness?.files ?? [];
  const lines = files.map(
    (file) => `      ${toSingleLine(file.path)}: ${toSingleLine(formatStaleFile(file))}`,
  );
  return [`#${id}  ${column}${toSingleLine(title ?? 'untitled')}`, ...lines].join('\n');
}

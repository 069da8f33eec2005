import type { WorkerClient } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkerReader } from '../memory/worker-reader.js';
import { getProjectContext } from './get-project-context.js';
import { searchMemory } from './search-memory.js';
import { timeline } from './timeline.js';
import type { Tool, ToolContext } from './tool.js';

const ZONE = 'Asia/Tokyo';
/** 27 November, 01:30 in Tokyo. */
const AT = Date.UTC(2026, 10, 26, 16, 30);
const PROMPT = {
  kind: 'prompt',
  project: 'shop',
  item: { id: 7, promptText: 'Round it', createdAtEpoch: AT },
};

let queries: Record<string, unknown>[];
const zone = process.env['TZ'];
beforeEach(() => {
  queries = [];
  process.env['TZ'] = ZONE;
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** Runs a tool with a worker that answers every request with one prompt. */
async function run(tool: Tool, input: object): Promise<string> {
  const answer = (reply: object) => async (request: { query: Record<string, unknown> }) => {
    queries.push(request.query);
    return { items: [PROMPT], degraded: [], ...reply };
  };
  const client = {
    search: answer({ strategy: 'recency', nextCursor: null }),
    timeline: answer({ anchorIndex: 0 }),
    previewContext: answer({ text: 'context' }),
    listProjects: async () => ({ items: [{ key: '/repos/shop', name: 'shop' }] }),
  } as unknown as WorkerClient;
  const reader = createWorkerReader(client, () => ZONE);
  const context = {
    memory: { read: async (operation) => ({ value: await operation(reader), fallbackReason: null }) },
    home: '/home/dev',
    now: () => AT,
    timeZone: () => ZONE,
    types: [],
  } satisfies Partial<ToolContext>;
  return (await tool.run(input as never, context as unknown as ToolContext)).text;
}

it('R06: searches the days of the client, and shows the local day of each record', async () => {
  const days = { date_from: '2026-11-26', date_to: '2026-11-26' };
  expect(await run(searchMemory, { ...days, project: 'all', limit: 5, offset: 0 })).toContain('2026-11-27');
  expect(queries).toMatchObject([
    { dateFrom: '2026-11-25T15:00:00.000Z', dateTo: '2026-11-26T14:59:59.999Z' },
  ]);
});

it('R06: requests a timeline around a time of the client, and shows times in the time zone of the client', async () => {
  const text = await run(timeline, { anchor: '2026-11-27T01:30', before: 1, after: 1, project: 'all' });
  expect(queries).toMatchObject([{ anchor: '2026-11-26T16:30:00.000Z' }]);
  expect(text).toContain('01:30');
});

it('R06: requests the context of a project in the time zone of the client', async () => {
  expect(await run(getProjectContext, { project: 'shop' })).toContain('context');
  expect(queries).toMatchObject([{ cwd: '/repos/shop', timeZone: ZONE }]);
});

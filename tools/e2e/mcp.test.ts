import { estimateTokens } from '@claude-mem/core';
import { createTempHome, requestWorker, startWorker, type TempHome } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMcp } from './mcp-client.js';

const SHOP = '/repos/shop';
const BLOG = '/repos/blog';

interface Remembered {
  project?: string;
  title: string;
  narrative?: string;
  type?: string;
  session?: string;
}

async function remember(home: TempHome, records: readonly Remembered[]): Promise<void> {
  const body = records.map(
    ({ project = SHOP, title, narrative = null, type = 'discovery', session }, index) => ({
      uid: `0195a000-0000-7000-8000-${project.length}${String(index).padStart(11, '0')}`,
      project,
      session: session ?? `session of ${project}`,
      prompt_number: 1,
      type,
      title,
      subtitle: null,
      narrative,
      facts: [],
      concepts: [],
      files_read: [],
      files_modified: [],
      created_at: new Date(Date.UTC(2026, 10, 20, 12, index)).toISOString(),
    }),
  );
  const answer = await requestWorker(home, { method: 'POST', path: '/api/import', body });
  expect(answer.status).toBe(200);
}

const TITLES = Array.from(
  { length: 14 },
  (_, index) =>
    `The checkout rounds the cart total in step ${index + 1} before the voucher is taken off, so that the tax differs by a cent`,
);

describe.each([['2025-11-25', 'legacy'] as const, ['2026-07-28', { pin: '2026-07-28' }] as const])(
  'the MCP server, asked by a client of %s',
  (_, era) => {
    let home: TempHome;
    beforeAll(async () => {
      home = await createTempHome();
      await using _worker = await startWorker(home);
      await remember(
        home,
        TITLES.map((title) => ({ title, narrative: `${title}. The sum is kept in cents since then.` })),
      );
      await remember(home, [{ project: BLOG, title: 'The feed is built at night' }]);
    });
    afterAll(() => home[Symbol.asyncDispose]());

    it.each(['with', 'without'])('answers search, timeline and details %s a worker', async (which) => {
      await using _worker = which === 'with' ? await startWorker(home) : null;
      await using mcp = await connectMcp(home, { era });
      const found = await mcp.call('search_memory', { query: 'cart total voucher', project: 'shop' });
      expect(found.isError).toBe(false);
      const ids = [...found.text.matchAll(/^#(\d+) 2026-11-20 🔍 The checkout/gm)].map(([, id]) =>
        Number(id),
      );
      expect(ids).toHaveLength(10);
      expect(found.text.includes('the worker is away')).toBe(which === 'without');
      expect(estimateTokens(found.text)).toBeLessThanOrEqual(350);
      expect(estimateTokens(JSON.stringify(found.structured))).toBeLessThanOrEqual(350);
      expect(found.structured).toMatchObject({ results: ids.map((id) => ({ id: `#${id}` })) });

      const around = await mcp.call('timeline', {
        anchor: `#${ids[0]}`,
        before: 2,
        after: 2,
        project: 'all',
      });
      expect(around.text).toMatch(new RegExp(`^> #${ids[0]} `, 'm'));
      const whole = await mcp.call('get_observations', { ids: ids.slice(0, 2) });
      expect(whole.text.match(/> .*kept in cents/g)).toHaveLength(2);
      expect(mcp.stderr()).toBe('');
    });
  },
);

import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { createTempHome, requestWorker, startWorker } from '@claude-mem/testing';
import { expect, it } from 'vitest';
import { connectMcp } from './mcp-client.js';

it('the MCP server reads from the database and rejects writes when the worker does not respond', async () => {
  await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
  {
    await using _worker = await startWorker(home);
    const body = [{ uid: 'cart', project: home.project, title: 'The cart total is kept in cents' }];
    expect(await requestWorker(home, { method: 'POST', path: '/api/import', body })).toMatchObject({
      status: 200,
    });
  }
  await using mcp = await connectMcp(home);
  const server = createServer(() => undefined).listen(path.join(home.dataDir, 'worker.sock'));
  await once(server, 'listening');
  expect((await mcp.call('search_memory', { query: 'cart total', project: 'all' })).text).toMatch(/^#\d+ /m);
  const writes = await Promise.all([
    mcp.call('remember', { text: 'Carts are kept in cents' }),
    mcp.call('forget', { ids: ['#1'] }),
  ]);
  for (const { isError, text } of writes)
    expect([isError, text]).toEqual([true, expect.stringContaining('claude-mem restart')]);
  server.close();
}, 120_000);

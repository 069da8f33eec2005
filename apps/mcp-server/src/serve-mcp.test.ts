import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveMcp } from './serve-mcp.js';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'serve-mcp-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Response {
  id: number;
  result?: { content?: { text: string }[] };
  error?: { code: number };
}

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const INITIALIZED = { method: 'notifications/initialized' };
const search = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'search_memory', arguments: { query: 'voucher' } },
});

/** Sends the messages, ends the input at once, and returns the responses after the server has ended. */
async function serve(
  messages: readonly object[],
  { endsWith = '\n', signal = new AbortController().signal, env = {} } = {},
): Promise<Response[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  input.end(lines.join('\n') + endsWith);
  await serveMcp({ env, home, cwd: join(home, 'work'), version: '0.0.0', input, output, signal });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Response);
}

it('S04: names the data folder and the reason when the folder is inside the project', async () => {
  const env = { CLAUDE_MEM_DATA_DIR: join(home, 'work', '.mem') };
  await expect(serve([INITIALIZE], { env })).rejects.toMatchObject({
    code: 'settings/refused-folder',
    message: expect.stringMatching(/\.mem \(CLAUDE_MEM_DATA_DIR\) cannot be used: it is inside the project/),
  });
});

describe('serveMcp at the end of the input', () => {
  it('R18: responds to a call that was sent right before the end of the input', async () => {
    const responses = await serve([INITIALIZE, INITIALIZED, search(2)]);
    expect(responses.map(({ id }) => id)).toEqual([1, 2]);
    expect(responses[1]?.result?.content?.[0]?.text).not.toBe('');
  });

  it('R18: responds to every call when several are in flight', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => search(index + 2));
    const responses = await serve([INITIALIZE, INITIALIZED, ...calls, { id: 99, method: 'no/such' }]);
    expect(responses.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([
      1,
      ...calls.map(({ id }) => id),
      99,
    ]);
  });

  it('R18: reads the last line when it ends without a line feed', async () => {
    const responses = await serve([INITIALIZE, INITIALIZED, search(2)], { endsWith: '' });
    expect(responses.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('ends when a call in flight is cancelled, and when the input is empty or contains no message', async () => {
    const cancel = { method: 'notifications/cancelled', params: { requestId: 2 } };
    expect((await serve([INITIALIZE, INITIALIZED, search(2), cancel]))[0]?.id).toBe(1);
    expect(await serve([], { endsWith: '' })).toEqual([]);
    expect(await serve([], { endsWith: 'no message' })).toEqual([]);
  });

  it('ends when the client is subscribed to changes', { timeout: 30_000 }, async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const subscription = {
      id: 'listen:0',
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    };
    const list = { id: 1, method: 'tools/list', params: { _meta: meta } };
    const responses = await serve([subscription, list]);
    expect(responses.filter(({ id }) => id === 1)).toMatchObject([{ result: {} }]);
    expect(JSON.stringify(responses)).toContain('notifications/subscriptions/acknowledged');
  });

  it('ends immediately when the signal is aborted', async () => {
    const stopping = new AbortController();
    stopping.abort();
    await expect(serve([INITIALIZE], { signal: stopping.signal })).resolves.toBeDefined();
  });
});

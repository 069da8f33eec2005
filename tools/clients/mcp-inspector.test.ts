import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  runProgram,
  startWorker,
  waitUntilDrained,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpProgram } from '../e2e/mcp-client.js';
import { playTurn } from '../e2e/play-turn.js';

/** Path of the command-line program of the MCP Inspector. */
const inspector = (JSON.parse(process.env['CLAUDE_MEM_HOST_CLIENTS'] ?? '{}') as Record<string, string>)[
  'mcp-inspector'
];

if (inspector === undefined) {
  describe('the MCP server in the MCP Inspector', () =>
    it.skip('is tested only when the inspector is installed (npm run test:clients -- --install-hosts)'));
}

interface Tool {
  name: string;
  inputSchema: { type: string; properties: object };
}

interface Answer {
  content: readonly { type: string; text: string }[];
  isError?: boolean;
  structuredContent?: unknown;
}

describe.runIf(inspector !== undefined)('the MCP server in the MCP Inspector', { timeout: 120_000 }, () => {
  let home: TempHome;
  let printed: string;
  let server: string;
  beforeAll(async () => {
    home = await createTempHome();
    printed = path.join(home.root, 'printed');
    server = path.join(home.root, 'server.sh');
    writeFileSync(server, `"${process.execPath}" "${mcpProgram}" | tee -a "${printed}"`);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  async function inspect(...args: readonly string[]): Promise<unknown> {
    const command = [inspector ?? '', '--cli', 'sh', server, ...args];
    const run = await runProgram(process.execPath, command, {
      cwd: home.project,
      env: home.env,
      timeoutMs: 60_000,
    });
    expect(run).toMatchObject({ exit: 0, stderr: '' });
    return JSON.parse(run.stdout);
  }

  const list = async () => ((await inspect('--method', 'tools/list')) as { tools: readonly Tool[] }).tools;

  async function call(name: string, args: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const given = Object.entries(args).map(([field, value]) => `${field}=${value}`);
    const options = given.length === 0 ? [] : ['--tool-arg', ...given];
    return (await inspect('--method', 'tools/call', '--tool-name', name, ...options)) as Answer;
  }

  const textOf = ({ content }: Answer) => content.map(({ text }) => text).join('\n');

  it('lists its tools and answers each tool when every argument is typed as text', async () => {
    await using _worker = await startWorker(home);
    await playTurn(home, { cwd: home.project, message: 'The limit is ten now, in src/limit.ts.' });
    await waitUntilDrained(home);
    const tools = await list();
    for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: 'object' });

    const called = new Map<string, Answer>();
    const ask = async (name: string, args?: Readonly<Record<string, string>>) => {
      const answer = await call(name, args);
      expect(answer.isError ?? false, textOf(answer)).toBe(false);
      called.set(name, answer);
      return textOf(answer);
    };
    const saved = await ask('remember', { text: 'Vouchers are taken off before tax', pinned: 'true' });
    const id = /#\d+/.exec(saved)?.[0] ?? '';
    expect(await ask('search_memory', { query: 'vouchers', limit: '5' })).toContain(id);
    expect(called.get('search_memory')?.structuredContent).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    expect(await ask('timeline', { anchor: id, before: '2' })).toContain(id);
    expect(await ask('get_observations', { ids: `["${id}"]` })).toContain('before tax');
    expect(await ask('get_session_summary')).toContain('limit.ts');
    expect(await ask('get_project_context')).toContain('Vouchers');
    expect(await ask('forget', { ids: id, dry_run: 'true' })).toContain(`Would be deleted: ${id}`);
    expect(await ask('forget', { ids: id })).toContain(`Deleted: ${id}`);
    expect([...called.keys()].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    for (const line of readFileSync(printed, 'utf8').trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('reports the reason when a call is invalid or the worker is not running', async () => {
    for (const [name, args, words] of [
      ['get_observations', { ids: 'many' }, 'ids'],
      ['timeline', {}, 'anchor'],
      ['remember', { text: 'x' }, 'claude-mem start'],
    ] as const) {
      const answer = await call(name, args);
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain(words);
    }
  });
});

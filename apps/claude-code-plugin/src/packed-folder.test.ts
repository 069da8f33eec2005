import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  claudePayloads,
  createTempHome,
  peekDatabase,
  runningWorkerPid,
  runProgram,
  visitViewer,
  waitFor,
  waitUntilDrained,
  type Environment,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyPlugin, readJson, type PluginCopy } from './testing/built-plugin.js';

/** A folder name with characters that the shell interprets. */
const FOLDER_WITH_SPECIAL_CHARACTERS = `it's a "plugin" of $HOME & \`more\``;

describe('a plugin folder in a new location without installed packages', () => {
  describe('after the first turn', () => {
    let home: TempHome;
    let plugin: PluginCopy;
    beforeAll(async () => {
      home = await createTempHome({ name: 'a home' });
      plugin = copyPlugin(home, FOLDER_WITH_SPECIAL_CHARACTERS);
      const payloads = claudePayloads({ cwd: home.project });
      for (const [event, payload] of [
        ['SessionStart', payloads.sessionStart()],
        ['UserPromptSubmit', payloads.prompt('Raise the limit')],
        ['PostToolUse', payloads.toolUse()],
        ['Stop', payloads.stop('The limit is 1 now.')],
      ] as const)
        expect(await plugin.fire(event, payload), event).toMatchObject({ exit: 0, stderr: '' });
      await waitUntilDrained(home);
    });
    afterAll(() => home[Symbol.asyncDispose]());

    it('B028: runs the worker and stores the session', () => {
      const maps = readFileSync(`/proc/${runningWorkerPid(home)}/maps`, 'utf8');
      expect(maps).toContain(`${plugin.folder}/node_modules/better-sqlite3`);
      using database = peekDatabase(home);
      expect(database.value('SELECT count(*) FROM observations')).toBe(1);
      expect(database.rows('SELECT prompt_text FROM user_prompts')).toEqual([
        { prompt_text: 'Raise the limit' },
      ]);
    });

    it('runs the command for agents when node is not on the PATH', async () => {
      const { dataDir } = home;
      const { env } = withoutNode(home);
      const run = (file: string) => runProgram(file, ['status', '--json'], { cwd: home.project, env });
      const launched = await run(`${dataDir}/bin/claude-mem`);
      expect(launched).toMatchObject({ exit: 0, stderr: '' });
      expect(JSON.parse(launched.stdout)).toMatchObject({ paths: { dataDir } });
      expect(readFileSync(`${dataDir}/bin/claude-mem`, 'utf8')).toContain('/hooks-cli/dist/claude-mem.js');
      const own = await runProgram('/bin/sh', [`${plugin.folder}/bin/claude-mem`, 'version'], {
        cwd: home.project,
        env,
      });
      expect(own).toMatchObject({ exit: 0, stderr: '' });
    });

    it('serves the viewer', async () => {
      const { env } = withoutNode(home);
      const command = join(plugin.folder, 'bin', 'claude-mem');
      const opened = await runProgram('/bin/sh', [command, 'open', '--print'], { cwd: home.project, env });
      expect(opened).toMatchObject({ exit: 0, stderr: '' });
      const { html, script } = await visitViewer(opened.stdout.trim());
      expect(html).toContain('<div id="root">');
      expect(script.length).toBeGreaterThan(10_000);
    });

    it('answers MCP requests when node is not on the PATH', async () => {
      const { env } = withoutNode(home);
      const answers = await askMcpServer(plugin, { cwd: home.project, env }, [
        {
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          },
        },
        { method: 'tools/list' },
        { method: 'tools/call', params: { name: 'search_memory', arguments: { query: 'file-1.ts' } } },
      ]);
      const [initialized, tools, found] = answers.map((answer) => JSON.stringify(answer));
      expect(initialized).toContain('"serverInfo"');
      for (const name of TOOLS) expect(tools).toContain(`"name":"${name}"`);
      expect(found).toContain('file-1.ts');
      expect(found).not.toContain('"isError":true');
    });
  });

  it('B031: reports one line at session start and keeps the events when SQLite cannot be loaded', async () => {
    await using home = await createTempHome();
    const plugin = copyPlugin(home, FOLDER_WITH_SPECIAL_CHARACTERS);
    const binaries = readdirSync(plugin.folder, { recursive: true, encoding: 'utf8' });
    for (const file of binaries.filter((name) => name.endsWith('.node')))
      writeFileSync(join(plugin.folder, file), 'for another Node');
    const payloads = claudePayloads({ cwd: home.project });
    const starts: string[] = [];
    await waitFor(
      async () => {
        const { exit, stdout, stderr } = await plugin.fire('SessionStart', payloads.sessionStart());
        expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
        starts.push(stdout);
        return stdout !== '';
      },
      { what: 'a message at the session start' },
    );
    const { systemMessage } = JSON.parse(starts.at(-1) ?? '') as Record<string, unknown>;
    expect(systemMessage).toMatch(
      /^claude-mem cannot store events now. They wait in the spool. .*SQLite cannot be loaded on Node.*Node 22/,
    );
    expect(systemMessage).not.toContain('\n');
    const other = await plugin.fire('UserPromptSubmit', payloads.prompt('Raise the limit'));
    expect(other).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    const kept = readdirSync(join(home.dataDir, 'spool')).filter((name) => /\.(json|event)$/.test(name));
    const texts = kept.map((name) => readFileSync(join(home.dataDir, 'spool', name), 'utf8'));
    // the worker writes another copy when the hook times out before the response
    const ids = new Set(texts.map((text) => /^event-id: (.+)$/m.exec(text)?.[1]));
    expect(ids.size).toBe(starts.length + 1);
    for (const text of texts) expect(text).toContain(payloads.sessionStart().session_id);
  });

  it('exits with 0 and prints nothing when the hook script is missing', async () => {
    await using home = await createTempHome();
    const plugin = copyPlugin(home);
    const gone = { CLAUDE_PLUGIN_ROOT: `${home.root}/gone` };
    const payload = claudePayloads({ cwd: home.project }).sessionStart();
    expect(await plugin.fire('SessionStart', payload, gone)).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: '',
    });
  });
});

const TOOLS = ['search_memory', 'timeline', 'get_observations'];

/** The environment of a host that was not started from a terminal. */
function withoutNode(home: TempHome): { env: Environment } {
  const folder = join(home.root, 'only sh');
  if (!existsSync(folder)) {
    mkdirSync(folder);
    symlinkSync('/bin/sh', join(folder, 'sh'));
  }
  return { env: { ...home.env, PATH: folder } };
}

/** Starts the server as the host does and sends the requests one by one. */
async function askMcpServer(
  { folder }: PluginCopy,
  options: { cwd: string; env: Environment },
  requests: readonly { method: string; params?: object }[],
): Promise<unknown[]> {
  const { mcpServers } = readJson(join(folder, '.mcp.json')) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [server] = Object.values(mcpServers);
  const args = server?.args.map((arg) => arg.replaceAll('${CLAUDE_PLUGIN_ROOT}', () => folder));
  const child = spawn(server?.command ?? '', args ?? [], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const answers: unknown[] = [];
    for (const [id, request] of requests.entries()) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
      const { value } = (await lines.next()) as { value?: string };
      answers.push(JSON.parse(value ?? 'null'));
    }
    return answers;
  } finally {
    child.kill('SIGKILL');
  }
}

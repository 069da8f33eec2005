import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createTempHome,
  peekDatabase,
  runningWorkerPid,
  runProgram,
  sharedFolder,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Command of each real client by name. Without clients, the tests are skipped. */
const clients = Object.entries(
  JSON.parse(process.env['CLAUDE_MEM_PLUGIN_CLIENTS'] ?? '{}') as Record<string, string>,
).map(([name, file]) => ({ name, command: file.endsWith('.js') ? [process.execPath, file] : [file] }));

const MARKETPLACE = path.join(workspacePaths.root, 'apps', 'claude-code-plugin', 'dist');
const PLUGIN = path.join(MARKETPLACE, 'claude-mem');
/**
 * A git server over HTTP, and a fake vendor that answers with the steps in the prompt. They are not part of the
 * project.
 */
const FAKES = path.join(sharedFolder(process.env) ?? '', 'clients', 'fakes');
const TOOL = 'mcp__plugin_mem_claude-mem__search_memory';

interface ClaudeRun {
  code: number;
  stderr: string;
  /** Text of the last request to the vendor. It may be a side request of the client. */
  contextText: string;
  requests: readonly unknown[];
  init?: {
    plugins?: { name: string; path: string }[];
    mcp_servers?: { name: string; status: string }[];
    slash_commands?: string[];
  };
  result?: { result?: string };
}

interface ClaudeRunOptions {
  claude: readonly string[];
  prompt: string;
  args: readonly string[];
  home: string;
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
}

const isReady = clients.length > 0 && existsSync(FAKES) && existsSync(PLUGIN);
if (!isReady) {
  const missing =
    clients.length === 0 ? 'a real client' : existsSync(FAKES) ? 'its build' : 'the fake vendor';
  describe('the plugin in real clients', () => it.skip(`is not tested without ${missing}`));
}

describe.each(isReady ? clients : [])('the plugin in $name', { timeout: 180_000 }, ({ name, command }) => {
  const isNative = name === 'claude-code-native';

  async function open() {
    const home = await createTempHome({ name: "a person's home" });
    onTestFinished(() => home[Symbol.asyncDispose]());
    mkdirSync(path.join(home.home, 'tmp'));
    return home;
  }

  async function run(home: TempHome, prompt: string, args: readonly string[] = []): Promise<ClaudeRun> {
    const module = (await import(pathToFileURL(path.join(FAKES, 'run-claude.mjs')).href)) as {
      runClaude(options: ClaudeRunOptions): Promise<ClaudeRun>;
    };
    const { CLAUDE_MEM_DATA_DIR = '', CLAUDE_MEM_WORKER_PORT = '' } = home.env;
    const ended = await module.runClaude({
      claude: command,
      prompt,
      args: ['--allowedTools', `Write,${TOOL}`, ...args],
      home: home.home,
      cwd: home.project,
      env: { CLAUDE_MEM_DATA_DIR, CLAUDE_MEM_WORKER_PORT, ENABLE_TOOL_SEARCH: 'false' },
      timeoutMs: 90_000,
    });
    expect(ended.code, ended.stderr).toBe(0);
    return ended;
  }

  const claude = (home: TempHome, ...args: string[]) =>
    runProgram(command[0] ?? '', [...command.slice(1), ...args], {
      cwd: home.project,
      env: {
        ...home.env,
        TMPDIR: path.join(home.home, 'tmp'),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      timeoutMs: 120_000,
    });

  async function expectStatus(home: TempHome) {
    // Version 2.0.77 runs no shell command if the path of the home folder contains a quote.
    if (name === 'claude-code-2.0.77') return;
    const { requests } = await run(home, '/mem:status');
    expect(JSON.stringify(requests)).toMatch(/\\nworker +ready/);
  }

  it('passes the validation of the client', async () => {
    const home = await open();
    for (const folder of [MARKETPLACE, PLUGIN]) {
      const reply = await claude(home, 'plugin', 'validate', folder, ...(isNative ? ['--strict'] : []));
      expect(reply.exit, reply.stdout + reply.stderr).toBe(0);
    }
  });

  it('loads its hooks, commands, skills and MCP server from a folder with quotes and shell characters in its name', async () => {
    const home = await open();
    const folder = path.join(home.root, `it's a "plugin" of $HOME & \`more\``);
    cpSync(PLUGIN, folder, { recursive: true });
    const ended = await run(home, work(home), ['--plugin-dir', folder]);
    expect(ended.init?.slash_commands).toEqual(expect.arrayContaining(COMMANDS));
    expect(ended.init?.mcp_servers).toContainEqual(
      expect.objectContaining({ name: 'plugin:mem:claude-mem', status: 'connected' }),
    );
    await waitUntilDrained(home);
    expect(readMemory(home)).toEqual(ONE_TURN);
    expect(readFileSync(`/proc/${runningWorkerPid(home)}/maps`, 'utf8')).toContain(folder);
  });

  it('can be installed from a git server, captures a session, and injects its memory into the next session', async () => {
    const home = await open();
    const url = await serveMarketplace(home);
    for (const args of [
      ['marketplace', 'add', url],
      ['install', 'mem@claude-mem'],
    ]) {
      const reply = await claude(home, 'plugin', ...args);
      expect(reply.exit, reply.stdout + reply.stderr).toBe(0);
    }
    await run(home, work(home));
    await waitUntilDrained(home);
    expect(readMemory(home)).toEqual(ONE_TURN);
    const cache = path.join(home.home, '.claude', 'plugins', 'cache', 'claude-mem', 'mem');
    expect(readFileSync(`/proc/${runningWorkerPid(home)}/maps`, 'utf8')).toContain(cache);

    const next = await run(home, `go on\n@@TOOL ${TOOL} {"query":"limit"}\n@@TEXT done`);
    expect(next.contextText).toContain('Past data');
    expect(next.contextText).toContain('limit.ts');
    const command = path.join(home.dataDir, 'bin', 'claude-mem');
    const shown = await runProgram(command, ['status', '--json'], { cwd: home.project, env: home.env });
    expect(shown).toMatchObject({ exit: 0, stderr: '' });
    await expectStatus(home);
  });

  it('stores a turn once when the hooks of claude-mem install report the turn too', async () => {
    const home = await open();
    const install = ['install', '--host', 'claude-code'];
    const installed = await runProgram(process.execPath, [workspacePaths.command, ...install], {
      cwd: home.project,
      env: home.env,
    });
    expect(installed.exit, installed.stderr).toBe(0);
    await run(home, work(home), ['--plugin-dir', PLUGIN]);
    await waitUntilDrained(home);
    expect(readMemory(home)).toEqual(ONE_TURN);
  });
});

/** Returns a prompt for a turn in which a tool changes a file. */
function work({ project }: TempHome): string {
  const input = { file_path: path.join(project, 'limit.ts'), content: 'export const limit = 2;\n' };
  return `Raise the limit\n@@TOOL Write ${JSON.stringify(input)}\n@@TEXT The limit is 2 now.`;
}

const COMMANDS = ['mem:search', 'mem:remember', 'mem:context', 'mem:status'];
const ONE_TURN = { sessions: 1, prompts: 1, observations: 1 };

function readMemory(home: TempHome) {
  using database = peekDatabase(home);
  const count = (table: string) => database.value(`SELECT count(*) FROM ${table}`);
  return {
    sessions: count('sdk_sessions'),
    prompts: count('user_prompts'),
    observations: count('observations'),
  };
}

/** Serves the marketplace as a git repository, because most marketplaces are cloned. */
async function serveMarketplace(home: TempHome): Promise<string> {
  const [work, repositories] = [path.join(home.root, 'work'), path.join(home.root, 'repositories')];
  cpSync(MARKETPLACE, work, { recursive: true });
  mkdirSync(repositories);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: work,
      env: { ...home.env },
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '--force', '--all');
  git('commit', '-q', '-m', 'one');
  git('clone', '-q', '--bare', work, path.join(repositories, 'marketplace.git'));
  const args = [path.join(FAKES, 'git-http.mjs'), '--root', repositories, '--port', '0'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void server.kill());
  const [reply] = (await new Promise((resolve) =>
    server.stdout.once('data', (chunk) => resolve([chunk])),
  )) as [Buffer];
  return `http://127.0.0.1:${/:(\d+)/.exec(String(reply))?.[1]}/marketplace.git`;
}

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  isProcessAlive,
  peekDatabase,
  processesOf,
  runningWorkerPid,
  runProgram,
  sharedFolder,
  spooledFiles,
  stopWorker,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  type Environment,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replyToToolSearch } from './reply-to-tool-search.js';

/** Path of each real client by name. Without clients, the tests are skipped. */
const programs = JSON.parse(process.env['CLAUDE_MEM_HOST_CLIENTS'] ?? '{}') as Record<string, string>;
/** Fake vendors that answer with the steps in the prompt. They are not part of the project. */
const FAKES = path.join(sharedFolder(process.env) ?? '', 'clients', 'fakes');

interface RealHost {
  name: string;
  fake: string;
  /** User files that an installation may change, relative to the home folder. */
  files: readonly string[];
  /** Writes the address of the vendor to settings files, if the host needs it. */
  configure(home: TempHome, url: string): void;
  /** Starts a proxy between the host and the fake vendor. */
  between?(url: string): Promise<{ url: string } & AsyncDisposable>;
  env(url: string): Environment;
  /**
   * Returns the arguments for a prompt.
   * @param isContinued continues the previous conversation
   */
  start(prompt: string, isContinued: boolean): { args: readonly string[]; input?: string };
  /**
   * Arguments that create the database of the host without a session. Two hosts that start at once may fail to create
   * it.
   */
  makeDatabase?: readonly string[];
  shell(command: string): string;
  write(file: string, text: string): string;
  /** Returns a step in which the model calls a tool of the MCP server. */
  mcp(name: string, input: object): string;
  /** Steps in which the model searches for MCP tools before it can call them. */
  findTools?: string;
  /** True if the host reports a failed command as a failure. */
  reportsFailures: boolean;
  endsOfSession: 0 | 1;
}

const tool = (name: string, input: object) => `%%TOOL ${name} ${JSON.stringify(input)}`;

const HOSTS: readonly RealHost[] = [
  {
    name: 'gemini-cli',
    fake: 'fake-gemini.mjs',
    files: ['.gemini/settings.json'],
    configure({ home }) {
      const settings = '{\n  // mine\n  "security": { "auth": { "selectedType": "gemini-api-key" } }\n}\n';
      put(path.join(home, '.gemini', 'settings.json'), settings);
    },
    env: (url) => ({
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    start: (prompt, isContinued) => ({
      args: ['-p', prompt, '--yolo', '-o', 'stream-json', ...(isContinued ? ['--resume', 'latest'] : [])],
    }),
    shell: (command) => tool('run_shell_command', { command, description: 'Run it' }),
    write: (file, content) => tool('write_file', { file_path: file, content }),
    mcp: (name, input) => tool(`mcp_claude-mem_${name}`, input),
    reportsFailures: true,
    endsOfSession: 1,
  },
  {
    name: 'codex',
    fake: 'fake-openai.mjs',
    files: ['.codex/config.toml', '.codex/hooks.json'],
    configure({ home }, url) {
      put(
        path.join(home, '.codex', 'config.toml'),
        `# mine\nmodel_provider = "fake"\nmodel = "gpt-5.5"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"
env_key = "FAKE_KEY"\nwire_api = "responses"\n[features]\nin_app_updates = false\ndaemon_auto_start = false
[analytics]\nenabled = false\n`,
      );
    },
    between: replyToToolSearch,
    env: () => ({ FAKE_KEY: 'x' }),
    start: (prompt, isContinued) => ({
      args: [
        ...['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
        ...[
          '--dangerously-bypass-approvals-and-sandbox',
          ...(isContinued ? ['resume', '--last'] : []),
          prompt,
        ],
      ],
    }),
    shell: (cmd) => tool('exec_command', { cmd }),
    write: (file, text) =>
      tool('apply_patch', {
        input: `*** Begin Patch\n*** Add File: ${file}\n${text.replace(/^(?=.)/gm, '+')}*** End Patch`,
      }),
    mcp: (name, input) => tool(`mcp__claude_mem.${name}`, input),
    findTools: tool('tool_search', {
      query: 'memory: search, timeline, observations, summary, context, forget',
    }),
    reportsFailures: false,
    endsOfSession: 1,
  },
  {
    name: 'opencode',
    fake: 'fake-openai.mjs',
    files: ['.config/opencode/opencode.jsonc', '.config/opencode/plugin/claude-mem.js'],
    configure({ home }, url) {
      const folder = path.join(home, '.config', 'opencode');
      const model = { npm: '@ai-sdk/openai-compatible', name: 'Fake', models: { fake: { name: 'Fake' } } };
      const provider = { fake: { ...model, options: { baseURL: `${url}/v1`, apiKey: 'x' } } };
      put(
        path.join(folder, 'opencode.jsonc'),
        `{\n  "$schema": "https://opencode.ai/config.json", // mine\n  "model": "fake/fake",\n  "provider": ${JSON.stringify(provider)},\n}\n`,
      );
      // Without these packages, the host waits a minute for the network to install them.
      const dependencies = { '@opencode-ai/plugin': '1.18.33' };
      put(path.join(folder, 'package.json'), JSON.stringify({ dependencies }));
      const lock = { lockfileVersion: 3, packages: { '': { dependencies } } };
      put(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
      const scope = path.join(folder, 'node_modules', '@opencode-ai');
      mkdirSync(scope, { recursive: true });
      symlinkSync(path.dirname(programs['opencode-plugin'] ?? ''), path.join(scope, 'plugin'));
    },
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
    // The prompt is passed as input, because the host escapes quotes in arguments.
    start: (prompt, isContinued) => ({
      args: ['run', '--format', 'json', ...(isContinued ? ['--continue'] : [])],
      input: prompt,
    }),
    makeDatabase: ['db', 'path'],
    shell: (command) => tool('bash', { command, description: 'Run it' }),
    write: (file, content) => tool('write', { filePath: file, content }),
    mcp: (name, input) => tool(`claude-mem_${name}`, input),
    reportsFailures: true,
    endsOfSession: 0,
  },
];
/**
 * Input and expected response for each tool of the MCP server. By default, the response contains the title of the
 * stored record.
 */
const MCP_CALLS: Readonly<Record<string, readonly [object, RegExp?]>> = {
  search_memory: [{ query: 'limit of the cart' }],
  timeline: [{ query: 'limit' }],
  get_observations: [{ ids: ['#1'] }, /The limit of the cart is 10 now/],
  get_session_summary: [{}, /Raise the limit of the cart/],
  get_project_context: [{}, /Where it stands/],
  remember: [{ text: 'Limits are whole numbers' }, /#2/],
  forget: [{ ids: ['#2'], dry_run: true }, /Would be deleted: #2/],
};

const ready = HOSTS.filter(({ name }) => name in programs && existsSync(FAKES));

if (ready.length === 0) {
  const missing = existsSync(FAKES)
    ? 'a real client (npm run test:clients -- --install-hosts)'
    : 'the fake vendors';
  describe('claude-mem hooks in other hosts', () => it.skip(`are not tested without ${missing}`));
}

describe.each(ready)('claude-mem hooks in $name', { timeout: 240_000 }, (host) => {
  /** Creates a home folder in which the command has installed the hooks and the MCP server. */
  async function open() {
    const home = await createTempHome({ name: "a person's home" });
    onTestFinished(() => home[Symbol.asyncDispose]());
    const vendor = await startFake(host.fake);
    const between = await host.between?.(vendor.url);
    if (between) onTestFinished(() => between[Symbol.asyncDispose]());
    const { url } = between ?? vendor;
    host.configure(home, url);
    const textsOfFiles = () => host.files.map((file) => textOf(path.join(home.home, file)));
    const before = textsOfFiles();
    const command = async (...args: readonly string[]) => {
      const run = await runProgram(process.execPath, [workspacePaths.command, ...args], {
        cwd: home.project,
        env: home.env,
      });
      expect(run.exit, run.stdout + run.stderr).toBe(0);
    };
    await command('install', '--host', host.name);
    const tmp = path.join(home.home, 'tmp');
    mkdirSync(tmp);
    let isContinued = false;
    const runHost = async (args: readonly string[], input?: string) => {
      const env = { ...home.env, TMPDIR: tmp, TERM: 'dumb', ...host.env(url) };
      const program = programs[host.name] ?? '';
      const [file, first] = program.endsWith('.js') ? [process.execPath, [program]] : [program, []];
      const options = { cwd: home.project, env, timeoutMs: 110_000 };
      const ended = await runProgram(file, [...first, ...args], { ...options, ...(input ? { input } : {}) });
      expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    };
    const send = (...lines: readonly string[]) => {
      const { args, input } = host.start(lines.join('\n'), isContinued);
      return runHost(args, input);
    };
    const expectNothingLeft = async () => {
      const others = () => processesOf(home.dataDir).filter(({ pid }) => pid !== runningWorkerPid(home));
      await expect.poll(others, { timeout: 10_000 }).toEqual([]);
      await stopWorker(home);
      expect(processesOf(home.dataDir)).toEqual([]);
      await command('uninstall', '--host', host.name);
      expect(textsOfFiles()).toEqual(before);
    };
    const fileIn = (name: string) => path.join(home.project, name);
    const goOn = (...lines: readonly string[]) => {
      isContinued = true;
      return send(...lines);
    };
    return { home, vendor, runHost, send, goOn, command, expectNothingLeft, fileIn };
  }

  it('capture a session, inject its memory into the next session, and answer its MCP calls', async () => {
    const { home, vendor, send, expectNothingLeft, fileIn } = await open();
    await send(
      'Raise the limit of the cart',
      host.shell('echo Tests 12 passed'),
      host.write(fileIn('limit.ts'), 'export const limit = 10;\n'),
      host.shell('cat limit.ts'),
      '%%TEXT The limit of the cart is 10 now.',
    );
    expect(readFileSync(fileIn('limit.ts'), 'utf8')).toBe('export const limit = 10;\n');
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      projects: ['demo'],
      prompts: [expect.stringContaining('Raise the limit of the cart')],
      ends: 5 + host.endsOfSession,
      notEnded: 0,
      observations: 1,
      left: 0,
    });
    expect(observed(home)).toMatchObject([
      {
        files_modified: '["limit.ts"]',
        narrative: expect.stringContaining('The limit of the cart is 10 now'),
      },
    ]);
    const title = String(observed(home)[0]?.['title']);
    await send(
      'What is the limit?',
      ...(host.findTools === undefined ? [] : [host.findTools]),
      ...Object.entries(MCP_CALLS).map(([name, [input]]) => host.mcp(name, input)),
      '%%TEXT Ten.',
    );
    const asked = (await vendor.requests()).filter(({ all }) => all.includes('What is the limit?'));
    expect(asked.at(-1)?.all).toContain('recorded in earlier sessions of demo');
    const answers = asked.map(({ last }) => last);
    for (const [name, [, words]] of Object.entries(MCP_CALLS))
      expect(answers, name).toContainEqual(expect.stringMatching(words ?? title));
    await waitUntilDrained(home);
    // MCP searches store no events.
    const ends = 5 + 2 + 2 * host.endsOfSession;
    expect(readMemory(home)).toMatchObject({ sessions: 2, ends, notEnded: 0, left: 0 });
    await expectNothingLeft();
  });

  it.runIf(host.reportsFailures)('record the error when a command fails', async () => {
    const { home, send, expectNothingLeft, fileIn } = await open();
    const check = 'test -e voucher.ts || { echo Error: voucher.ts is missing >&2; exit 1; }';
    put(fileIn('package.json'), JSON.stringify({ scripts: { test: check } }));
    await send(
      'Repair the voucher',
      host.shell('npm test'),
      host.write(fileIn('voucher.ts'), 'export const voucher = 5;\n'),
      host.shell('npm test'),
      '%%TEXT The voucher is taken off first now.',
    );
    await waitUntilDrained(home);
    expect(observed(home)).toMatchObject([
      { facts: expect.stringMatching(/npm test` failed: .*voucher.ts is missing/) },
    ]);
    await expectNothingLeft();
  });

  it('continue the same session and inject no second context when a conversation is resumed in another process', async () => {
    const { home, vendor, send, goOn, expectNothingLeft, fileIn } = await open();
    await send(
      'Raise the limit',
      host.write(fileIn('limit.ts'), 'export const limit = 10;\n'),
      '%%TEXT The limit is 10 now.',
    );
    await waitUntilDrained(home);
    await send('What is the limit?', '%%TEXT Ten.');
    await goOn('And the other one?', '%%TEXT Twelve.');
    const asked = (await vendor.requests()).filter(({ all }) => all.includes('And the other one?'));
    expect(asked.at(-1)?.all).toContain('What is the limit?');
    expect(asked.at(-1)?.all.split('recorded in earlier sessions of demo')).toHaveLength(2);
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({ sessions: 2, notEnded: 0, left: 0 });
    expect(readMemory(home).prompts).toHaveLength(3);
    await expectNothingLeft();
  });

  it('keep two simultaneous sessions of one project separate', async () => {
    const { home, runHost, send, expectNothingLeft, fileIn } = await open();
    if (host.makeDatabase) await runHost(host.makeDatabase);
    const work = (name: string) =>
      send(
        `Raise the ${name}`,
        host.write(fileIn(`${name}.ts`), 'export const limit = 10;\n'),
        host.shell(`echo The ${name} is tested`),
        `%%TEXT The ${name} is 10 now.`,
      );
    await Promise.all([work('limit'), work('voucher')]);
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      projects: ['demo'],
      sessions: 2,
      ends: 2 * (4 + host.endsOfSession),
      notEnded: 0,
      left: 0,
    });
    const seen = observed(home).map(({ files_modified, narrative }) => [
      files_modified,
      /The (\w+) is 10 now/.exec(String(narrative))?.[1],
    ]);
    expect(seen.toSorted()).toEqual([
      ['["limit.ts"]', 'limit'],
      ['["voucher.ts"]', 'voucher'],
    ]);
    await expectNothingLeft();
  });

  it('lose and duplicate no event when the worker is killed between two tools', async () => {
    const { home, send, command, expectNothingLeft, fileIn } = await open();
    await command('start');
    const pid = runningWorkerPid(home);
    await send(
      'Raise both limits',
      host.write(fileIn('one.ts'), 'export const one = 10;\n'),
      host.shell(`kill -9 ${pid}`),
      host.write(fileIn('two.ts'), 'export const two = 10;\n'),
      host.shell('echo Tests 12 passed'),
      '%%TEXT Both limits are 10 now.',
    );
    await waitUntilDrained(home);
    expect(runningWorkerPid(home)).not.toBe(pid);
    expect(readMemory(home)).toMatchObject({
      sessions: 1,
      ends: 6 + host.endsOfSession,
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([{ files_modified: '["one.ts","two.ts"]' }]);
    await expectNothingLeft();
  });

  it('lose no event when the worker hangs', async () => {
    const { home, send, command, expectNothingLeft, fileIn } = await open();
    await command('start');
    const pid = runningWorkerPid(home) ?? 0;
    onTestFinished(() => void (isProcessAlive(pid) && process.kill(pid, 'SIGCONT')));
    await send(
      'Raise the limit',
      host.shell(`kill -STOP ${pid}`),
      host.write(fileIn('limit.ts'), 'export const limit = 10;\n'),
      host.shell('echo Tests 12 passed'),
      '%%TEXT The limit is 10 now.',
    );
    process.kill(pid, 'SIGCONT');
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      sessions: 1,
      ends: 5 + host.endsOfSession,
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([
      { files_modified: '["limit.ts"]', narrative: expect.stringContaining('The limit is 10 now') },
    ]);
    await expectNothingLeft();
  });
});

function put(file: string, text: string) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

function observed(home: TempHome) {
  using database = peekDatabase(home);
  return database.rows('SELECT title, narrative, facts, files_modified FROM observations ORDER BY id');
}

function readMemory(home: TempHome) {
  using database = peekDatabase(home);
  const count = (from: string) => Number(database.value(`SELECT count(*) FROM ${from}`));
  return {
    projects: database.rows('SELECT name FROM projects ORDER BY id').map(({ name }) => name),
    // Records that are saved manually have a separate session.
    sessions: count("sdk_sessions WHERE host <> 'manual'"),
    prompts: database
      .rows('SELECT prompt_text FROM user_prompts ORDER BY id')
      .map((row) => row['prompt_text']),
    observations: count('observations'),
    ends: count('event_ledger WHERE outcome IS NOT NULL'),
    notEnded: count("event_ledger WHERE outcome IS NULL OR outcome = 'dropped'"),
    left: spooledFiles(home).length,
  };
}

/** A conversation in the formats of the vendors. */
interface Conversation {
  contents?: readonly unknown[];
  input?: readonly unknown[];
  messages?: readonly unknown[];
}

async function startFake(file: string) {
  const fake = spawn(process.execPath, [path.join(FAKES, file), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void fake.kill());
  let reply = '';
  fake.stdout.on('data', (chunk) => (reply += String(chunk)));
  const port = await waitFor(() => /:(\d+)/.exec(reply)?.[1], { what: 'the fake vendor' });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async requests() {
      const asked = (await (await fetch(`${url}/__requests`)).json()) as { body: Conversation | null }[];
      return asked.map(({ body }) => ({
        all: JSON.stringify(body),
        /** The last message, such as the result of a tool. */
        last: JSON.stringify((body?.contents ?? body?.input ?? body?.messages)?.at(-1) ?? null),
      }));
    },
  };
}

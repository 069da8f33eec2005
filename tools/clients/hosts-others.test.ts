import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  peekDatabase,
  processesOf,
  runningWorkerPid,
  runProgram,
  sharedFolder,
  stopWorker,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  type Environment,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Name → program of each real client; without any the tests are not run. */
const programs = JSON.parse(process.env['CLAUDE_MEM_HOST_CLIENTS'] ?? '{}') as Record<string, string>;
/** Fake vendors that do what a prompt says; they are no part of the project. */
const FAKES = path.join(sharedFolder(process.env) ?? '', 'clients', 'fakes');

interface RealHost {
  name: string;
  fake: string;
  /** Makes the vendor's address known, as far as settings must. */
  configure(home: TempHome, url: string): void;
  env(url: string): Environment;
  args(prompt: string): readonly string[];
  /** A turn with a shell command and a new file. */
  work(file: string): string;
}

const HOSTS: readonly RealHost[] = [
  {
    name: 'gemini-cli',
    fake: 'fake-gemini.mjs',
    configure({ home }) {
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
      put(path.join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
    env: (url) => ({
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    args: (prompt) => ['-p', prompt, '--yolo', '-o', 'stream-json'],
    work: (file) =>
      [
        'Raise the limit of the cart',
        '@@TOOL run_shell_command {"command":"echo Tests 12 passed","description":"Run the tests"}',
        `@@TOOL write_file ${JSON.stringify({ file_path: file, content: 'export const limit = 10;\n' })}`,
        '@@TEXT The limit of the cart is 10 now.',
      ].join('\n'),
  },
  {
    name: 'codex',
    fake: 'fake-openai.mjs',
    configure({ home }, url) {
      put(
        path.join(home, '.codex', 'config.toml'),
        `model_provider = "fake"\nmodel = "gpt-5.5"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"
env_key = "FAKE_KEY"\nwire_api = "responses"\n[features]\nin_app_updates = false\ndaemon_auto_start = false
[analytics]\nenabled = false\n`,
      );
    },
    env: () => ({ FAKE_KEY: 'x' }),
    args: (prompt) => [
      ...['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
      ...['--dangerously-bypass-approvals-and-sandbox', prompt],
    ],
    work: () =>
      [
        'Raise the limit of the cart',
        '%%TOOL exec_command {"cmd":"echo Tests 12 passed"}',
        '%%TOOL exec_command {"cmd":"echo limit=10 > limit.ts"}',
        '%%TEXT The limit of the cart is 10 now.',
      ].join('\n'),
  },
];
const ready = HOSTS.filter(({ name }) => name in programs && existsSync(FAKES));

if (ready.length === 0) {
  const missing = existsSync(FAKES)
    ? 'a real client (npm run test:clients -- --install-hosts)'
    : 'the fake vendors';
  describe('our hooks in other hosts', () => it.skip(`are not tested without ${missing}`));
}

describe.each(ready)('our hooks in $name', { timeout: 240_000 }, (host) => {
  it('capture a session and give its memory to the next', async () => {
    const home = await createTempHome({ name: "a person's home" });
    onTestFinished(() => home[Symbol.asyncDispose]());
    const vendor = await startFake(host.fake);
    host.configure(home, vendor.url);
    const install = [workspacePaths.command, 'install', '--host', host.name];
    const installed = await runProgram(process.execPath, install, { cwd: home.project, env: home.env });
    expect(installed.exit, installed.stdout + installed.stderr).toBe(0);
    const tmp = path.join(home.home, 'tmp');
    mkdirSync(tmp);
    const run = async (prompt: string) => {
      const env = { ...home.env, TMPDIR: tmp, TERM: 'dumb', ...host.env(vendor.url) };
      const args = [programs[host.name] ?? '', ...host.args(prompt)];
      const ended = await runProgram(process.execPath, args, { cwd: home.project, env, timeoutMs: 110_000 });
      expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    };

    await run(host.work(path.join(home.project, 'limit.ts')));
    expect(readFileSync(path.join(home.project, 'limit.ts'), 'utf8')).toContain('10');
    await waitUntilDrained(home);
    expect(remembered(home)).toMatchObject({
      projects: ['demo'],
      prompts: [expect.stringContaining('Raise the limit of the cart')],
      notEnded: 0,
      observations: 1,
    });
    await run('What is the limit?\n%%TEXT Ten.');
    const asked = await vendor.requests();
    expect(asked.filter((body) => body.includes('What is the limit?')).at(-1)).toContain(
      'recorded in earlier sessions of demo',
    );
    await waitUntilDrained(home);
    expect(remembered(home)).toMatchObject({ sessions: 2, notEnded: 0 });
    const others = () => processesOf(home.dataDir).filter(({ pid }) => pid !== runningWorkerPid(home));
    await expect.poll(others, { timeout: 10_000 }).toEqual([]);
    await stopWorker(home);
    expect(processesOf(home.dataDir)).toEqual([]);
  });
});

function put(file: string, text: string) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function remembered(home: TempHome) {
  using database = peekDatabase(home);
  const count = (from: string) => Number(database.value(`SELECT count(*) FROM ${from}`));
  return {
    projects: database.rows('SELECT name FROM projects ORDER BY id').map(({ name }) => name),
    sessions: count('sdk_sessions'),
    prompts: database
      .rows('SELECT prompt_text FROM user_prompts ORDER BY id')
      .map((row) => row['prompt_text']),
    observations: count('observations'),
    notEnded: count("event_ledger WHERE outcome IS NULL OR outcome = 'dropped'"),
  };
}

async function startFake(file: string) {
  const fake = spawn(process.execPath, [path.join(FAKES, file), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void fake.kill());
  let said = '';
  fake.stdout.on('data', (chunk) => (said += String(chunk)));
  const port = await waitFor(() => /:(\d+)/.exec(said)?.[1], { what: 'the fake vendor' });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async requests() {
      const answer = (await (await fetch(`${url}/__requests`)).json()) as { body: unknown }[];
      return answer.map(({ body }) => JSON.stringify(body));
    },
  };
}

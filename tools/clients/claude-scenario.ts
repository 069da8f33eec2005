import path from 'node:path';
import {
  createTempHome,
  peekDatabase,
  processesOf,
  runningWorkerPid,
  runProgram,
  spooledFiles,
  stopWorker,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { expect, onTestFinished } from 'vitest';
import { recordHooks } from './record-hooks.js';
import { openClaudeWindow, type ClaudeWindow } from './open-claude-window.js';
import { createScriptedModel, type ScriptedModel } from './scripted-model.js';
import { startClaude, type ClaudeOptions, type ClaudeSession } from './start-claude.js';

export interface ClaudeClient {
  name: string;
  command: readonly string[];
}

/** A home folder with the hooks and MCP server of claude-mem, and a scripted vendor. */
export interface ClaudeScenario {
  home: TempHome;
  model: ScriptedModel;
  start(options?: Partial<ClaudeOptions>): ClaudeSession;
  /** Starts the client in a terminal window. */
  openWindow(): Promise<ClaudeWindow>;
  fileIn(...parts: readonly string[]): string;
  /** Scripts a turn in which the model calls two tools. */
  scriptWork(prompt: string, file?: string): void;
  /** Plays a session whose records are injected into later sessions. */
  recordEarlierSession(): Promise<void>;
  /** Adds an event to the recording that no hook reports, such as a killed worker. */
  note(what: string): void;
}

export interface ClaudeScenarioOptions {
  client: ClaudeClient;
  /** Name of the recording. @default no recording */
  record?: string;
  /** Installs the hooks with the command, or loads the plugin for one run. @default 'install' */
  setUp?: 'install' | 'plugin';
}

export const BEFORE = 'Keep the total in cents';
export const TOOLS = [
  'search_memory',
  'timeline',
  'get_observations',
  'get_session_summary',
  'get_project_context',
  'remember',
  'forget',
] as const;
/** Returns the name that the host gives to an MCP tool. It contains the plugin name if the plugin provides the tool. */
export const memoryTool = (name: (typeof TOOLS)[number], setUp: ClaudeScenarioOptions['setUp'] = 'install') =>
  `mcp__${setUp === 'plugin' ? 'plugin_mem_' : ''}claude-mem__${name}`;

const PLUGIN = path.join(workspacePaths.root, 'apps', 'claude-code-plugin', 'dist', 'claude-mem');
const OTHER_TOOLS = ['Bash', 'Write', 'Edit', 'Read', 'Agent', 'Task'];

/** Reads the command of each real client from an environment variable. Without clients, the tests are skipped. */
export function claudeClients(variable = 'CLAUDE_MEM_CLIENTS'): readonly ClaudeClient[] {
  const programs = JSON.parse(process.env[variable] ?? '{}') as Record<string, string>;
  return Object.entries(programs).map(([name, file]) => ({
    name,
    command: file.endsWith('.js') ? [process.execPath, file] : [file],
  }));
}

/** Opens a scenario that is closed at the end of the test. */
export async function openClaudeScenario({
  client,
  record,
  setUp = 'install',
}: ClaudeScenarioOptions): Promise<ClaudeScenario> {
  const home = await createTempHome({ name: "a person's home" });
  onTestFinished(() => home[Symbol.asyncDispose]());
  const model = await createScriptedModel();
  onTestFinished(() => model[Symbol.asyncDispose]());
  if (setUp === 'install') {
    const install = [workspacePaths.command, 'install', '--host', 'claude-code'];
    const installed = await runProgram(process.execPath, install, { cwd: home.project, env: home.env });
    expect(installed.exit, installed.stdout + installed.stderr).toBe(0);
  }
  const recording =
    record === undefined ? null : recordHooks(home, { client: client.name, scenario: record });
  onTestFinished(() => recording?.write());

  const { command } = client;
  const plugin = setUp === 'plugin' ? ['--plugin-dir', PLUGIN] : [];
  const allowed = [...OTHER_TOOLS, ...TOOLS.map((name) => memoryTool(name, setUp))].join(',');
  const usual = ['--allowedTools', allowed, ...plugin];

  const scenario: ClaudeScenario = {
    home,
    model,
    start(options = {}) {
      const args = [...usual, ...(options.args ?? [])];
      const session = startClaude({ command, home, modelUrl: model.url, ...options, args });
      onTestFinished(() => session[Symbol.asyncDispose]());
      return session;
    },
    async openWindow() {
      const window = await openClaudeWindow({ command, home, modelUrl: model.url, args: usual });
      onTestFinished(() => window[Symbol.asyncDispose]());
      return window;
    },
    fileIn: (...parts) => path.join(home.project, ...parts),
    scriptWork(prompt, file = 'limit.ts') {
      model.script(prompt, [
        { tools: [write(scenario.fileIn(file), 'export const limit = 10;\n')] },
        { tools: [bash('echo Tests 12 passed')] },
        { text: `The limit is 10 now, in ${file}.` },
      ]);
    },
    async recordEarlierSession() {
      scenario.scriptWork(BEFORE, 'before.ts');
      const session = scenario.start();
      await session.send(BEFORE);
      await session.end();
      await waitUntilDrained(home);
    },
    note: (what) => recording?.note(what),
  };
  return scenario;
}

export const write = (file: string, content: string) => ({
  name: 'Write',
  input: { file_path: file, content },
});
export const bash = (line: string) => ({ name: 'Bash', input: { command: line, description: 'Do it' } });
export const agent = (task: string, more: object = {}) => ({
  name: 'Agent',
  input: { description: 'Find limits', prompt: task, subagent_type: 'general-purpose', ...more },
});

/** Counts the injected context blocks in the last request to the model. */
export const countContexts = ({ requests }: ScriptedModel) =>
  (requests.at(-1)?.all.match(/<claude-mem-context>/g) ?? []).length;

/** Returns the stored sessions and prompts, and the number of events with and without an outcome. */
export function readMemory(home: TempHome) {
  using database = peekDatabase(home);
  const count = (from: string) => Number(database.value(`SELECT count(*) FROM ${from}`));
  const sessions = database.rows(
    'SELECT content_session_id AS id, status FROM sdk_sessions ORDER BY sdk_sessions.id',
  );
  const prompts = database.rows('SELECT prompt_text AS text FROM user_prompts ORDER BY id');
  return {
    projects: database.rows('SELECT name FROM projects ORDER BY id').map(({ name }) => name),
    sessions: sessions.map(({ id, status }) => [id, status]),
    prompts: prompts.map(({ text }) => text),
    ends: count('event_ledger WHERE outcome IS NOT NULL'),
    notEnded: count("event_ledger WHERE outcome IS NULL OR outcome = 'dropped'"),
    left: count('pending_messages') + spooledFiles(home).length,
  };
}

/** Returns the prompts with their sessions, and the changed files. */
export function listPrompts(home: TempHome) {
  using database = peekDatabase(home);
  return database.rows(
    `SELECT s.content_session_id AS session, p.prompt_text AS prompt, o.files_modified AS files
     FROM observations o JOIN sdk_sessions s ON s.id = o.session_id JOIN user_prompts p ON p.session_id = s.id
     ORDER BY prompt`,
  );
}

export function observed(home: TempHome) {
  using database = peekDatabase(home);
  return database.rows(
    'SELECT title, narrative, facts, files_read, files_modified FROM observations ORDER BY id',
  );
}

export async function expectOnlyWorker(home: TempHome) {
  const pids = () => processesOf(home.dataDir).map(({ pid }) => pid);
  await expect.poll(pids, { timeout: 10_000 }).toEqual([runningWorkerPid(home)]);
}

/** Verifies that only the worker runs, stops it, and verifies that nothing runs any more. */
export async function expectNothingLeft(home: TempHome) {
  await expectOnlyWorker(home);
  await stopWorker(home);
  expect(processesOf(home.dataDir)).toEqual([]);
}

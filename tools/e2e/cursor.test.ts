import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  peekDatabase,
  runningWorkerPid,
  runProgram,
  startWorker,
  stopWorker,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  writeSettings,
  type Environment,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

type Fields = Readonly<Record<string, unknown>>;
type Fire = (event: string, fields?: Fields) => Promise<Fields | null>;

interface CursorScenario {
  home: TempHome;
  /** Starts a conversation of the editor or of the command line. Their payloads differ. */
  converse(id: string, program?: 'editor' | 'cli'): Fire;
}

const VERSION = '3.20.17';
const REPLY = 'The discount is taken off before the tax now.';

/** Response fields that Cursor supports and that do not stop or control the agent. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  sessionStart: ['additional_context'],
  beforeSubmitPrompt: ['continue', 'additional_context'],
};

/** Creates a home folder in which `claude-mem install` was run for Cursor. The test runs the hooks like Cursor. */
async function openCursor(settings: Environment = {}): Promise<CursorScenario> {
  const home = await createTempHome({ name: "a person's home" });
  // A worker that is started by a hook reads settings only from the file.
  writeSettings(home, { CLAUDE_MEM_EMBEDDER: 'none', ...settings });
  onTestFinished(() => home[Symbol.asyncDispose]());
  const install = [workspacePaths.command, 'install', '--host', 'cursor'];
  const installed = await runProgram(process.execPath, install, { cwd: home.project, env: home.env });
  expect(installed.exit, installed.stderr).toBe(0);
  const folder = path.join(home.home, '.cursor');
  const { hooks } = JSON.parse(readFileSync(path.join(folder, 'hooks.json'), 'utf8')) as {
    hooks: Record<string, readonly { command: string }[]>;
  };
  const hookEnv = {
    ...home.env,
    CURSOR_VERSION: VERSION,
    CURSOR_PROJECT_DIR: home.project,
    CLAUDE_PROJECT_DIR: home.project,
  };
  const run = async (event: string, command: string, payload: Fields): Promise<Fields | null> => {
    const input = JSON.stringify(payload);
    const ended = await runProgram('sh', ['-c', command], { cwd: folder, env: hookEnv, input });
    expect(ended, event).toMatchObject({ exit: 0, stderr: '' });
    if (ended.stdout === '') return null;
    const answer = JSON.parse(ended.stdout) as Fields;
    expect(ANSWERS[event], event).toEqual(expect.arrayContaining(Object.keys(answer)));
    expect(answer['continue'] ?? true).toBe(true);
    return answer;
  };
  const converse: CursorScenario['converse'] = (id, program = 'editor') => {
    let turn = 0;
    return async (event, fields = {}) => {
      if (event === 'beforeSubmitPrompt') turn += 1;
      const payload = {
        conversation_id: id,
        generation_id: `${id} turn ${turn}`,
        model: 'gpt-5.5',
        hook_event_name: event,
        cursor_version: VERSION,
        workspace_roots: [home.project],
        user_email: 'dev@example.com',
        transcript_path: null,
        ...(program === 'cli' ? { session_id: id, cwd: '' } : {}),
        ...fields,
      };
      const [ours] = hooks[event] ?? [];
      const answer = ours ? await run(event, ours.command, payload) : null;
      // Cursor also runs the hooks in the settings of Claude Code if hooks of other programs are enabled.
      const claudeEvent = CLAUDE_EVENTS[event];
      if (claudeEvent !== undefined) {
        const command = `sh "$HOOK" claude-code ${claudeEvent}`;
        const other = { session_id: id, ...payload, hook_event_name: claudeEvent };
        const ended = await runProgram('sh', ['-c', command], {
          ...{ cwd: folder, env: { ...hookEnv, HOOK: workspacePaths.hookScript } },
          input: JSON.stringify(other),
        });
        expect(ended, claudeEvent).toMatchObject({ exit: 0, stderr: '' });
        expect(ended.stdout).not.toContain('earlier sessions');
      }
      return answer;
    };
  };
  return { home, converse };
}

const CLAUDE_EVENTS: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  beforeSubmitPrompt: 'UserPromptSubmit',
  postToolUse: 'PostToolUse',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
};

/** Plays a turn with a failing and a passing check. The editor and the command line report it differently. */
async function work(fire: Fire, { home }: CursorScenario): Promise<void> {
  const file = path.join(home.project, 'src', 'discount.ts');
  mkdirSync(path.dirname(file), { recursive: true });
  await fire('beforeSubmitPrompt', { prompt: 'Repair the discount of the cart', attachments: [] });
  await fire('postToolUse', {
    tool_name: 'Shell',
    tool_input: { command: 'npm test' },
    tool_output: '{"exitCode":1,"stdout":"","stderr":"Error: the discount is lost"}',
    tool_use_id: 'tool_1',
  });
  await fire('afterShellExecution', { command: 'npm test', output: 'Error: the discount is lost' });
  await fire('afterAgentResponse', { text: 'I look at the discount first.' });
  await fire('postToolUse', {
    tool_name: 'Write',
    tool_input: JSON.stringify({ file_path: file, content: 'export const before = true;\n' }),
    tool_output: '{"success":true}',
    tool_use_id: 'tool_2',
  });
  await fire('afterFileEdit', { file_path: file, edits: [{ old_string: '', new_string: 'x' }] });
  await fire('postToolUseFailure', {
    tool_name: 'Shell',
    tool_input: { command: 'npm run lint' },
    tool_use_id: 'tool_3',
    error_message: 'Command timed out after 30s',
    failure_type: 'timeout',
    is_interrupt: false,
  });
  await fire('postToolUse', {
    tool_name: 'Shell',
    tool_input: { command: 'npm test' },
    tool_output: '{"exitCode":0,"stdout":"Tests 12 passed"}',
    tool_use_id: 'tool_4',
  });
  await fire('afterAgentResponse', { text: REPLY });
  await fire('stop', { status: 'completed', loop_count: 0 });
}

function stored(home: TempHome) {
  using database = peekDatabase(home);
  const count = (from: string) => Number(database.value(`SELECT count(*) FROM ${from}`));
  return {
    projects: database.rows('SELECT name FROM projects').map(({ name }) => name),
    sessions: database
      .rows('SELECT host, content_session_id AS id, status FROM sdk_sessions ORDER BY id')
      .map(({ host, id, status }) => [host, id, status]),
    prompts: count('user_prompts'),
    ends: count('event_ledger WHERE outcome IS NOT NULL'),
    notEnded: count("event_ledger WHERE outcome IS NULL OR outcome = 'dropped'"),
    observations: database.rows('SELECT narrative, facts, files_modified FROM observations'),
  };
}

/** Without this setting, the rules file contains the records instead of the responses. */
const NO_RULES = { CLAUDE_MEM_CURSOR_RULES: 'false' };

const contextOf = (answer: Fields | null) => String(answer?.['additional_context'] ?? '');

describe('a Cursor conversation through the installed hooks', () => {
  it.each(['editor', 'cli'] as const)(
    'B117 B138 B150: is stored once and completely, and is injected into the next conversation (%s)',
    async (program) => {
      const scenario = await openCursor(NO_RULES);
      const { home } = scenario;
      await using _worker = await startWorker(home);
      const fire = scenario.converse('c1', program);
      expect(contextOf(await fire('sessionStart', { composer_mode: 'agent' }))).toBe('');
      await work(fire, scenario);
      await fire('sessionEnd', { reason: 'completed' });
      await waitUntilDrained(home);
      expect(stored(home)).toMatchObject({
        projects: ['demo'],
        sessions: [['cursor', 'c1', 'completed']],
        prompts: 1,
        // The events are the prompt, four tools, the end of the turn and the end of the session.
        ends: 7,
        notEnded: 0,
        observations: [
          {
            narrative: expect.stringContaining('taken off before the tax'),
            facts: expect.stringMatching(/npm test` failed: .*the discount is lost/),
            files_modified: '["src/discount.ts"]',
          },
        ],
      });
      let next = '';
      // The start is repeated, because a hook can time out on a busy machine.
      for (let attempt = 2; attempt < 7 && next === ''; attempt += 1)
        next = contextOf(await scenario.converse(`c${attempt}`, program)('sessionStart'));
      expect(next).toContain('recorded in earlier sessions of demo');
      expect(next).toContain('discount');
      expect(next).not.toContain('dev@example.com');
    },
  );

  it('B118: belongs to the neutral project when no folder is open, even if its hooks run in a folder', async () => {
    const scenario = await openCursor();
    const { home } = scenario;
    await using _worker = await startWorker(home);
    const fire = scenario.converse('c1');
    const nowhere = { workspace_roots: [], cwd: path.join(home.home, '.cursor') };
    await fire('sessionStart', nowhere);
    await fire('beforeSubmitPrompt', { ...nowhere, prompt: 'What is a discount?' });
    await fire('stop', { ...nowhere, status: 'completed' });
    await waitUntilDrained(home);
    expect(stored(home).projects).not.toContain('.cursor');
  });

  it('receives its context once, at the latest with a prompt, when it began without a worker', async () => {
    const scenario = await openCursor(NO_RULES);
    const { home } = scenario;
    {
      await using _worker = await startWorker(home);
      await work(scenario.converse('c1'), scenario);
      await waitUntilDrained(home);
    }
    const fire = scenario.converse('c2');
    const given = [await fire('sessionStart')];
    await waitFor(() => runningWorkerPid(home), { what: 'a worker' });
    await waitUntilDrained(home);
    // Several prompts are sent, because hooks can time out on a busy machine.
    for (const prompt of ['Where is it taken off?', 'And why?', 'Since when?', 'By whom?', 'Is it tested?'])
      given.push(await fire('beforeSubmitPrompt', { prompt }));
    const contexts = given.map(contextOf).filter((text) => text !== '');
    expect(contexts).toEqual([expect.stringContaining('recorded in earlier sessions of demo')]);
    await stopWorker(home);
  });

  it('receives the records of the rules file in no hook response', async () => {
    const scenario = await openCursor();
    const { home } = scenario;
    await using _worker = await startWorker(home);
    await work(scenario.converse('c1'), scenario);
    await waitUntilDrained(home);
    const file = path.join(home.project, '.cursor', 'rules', 'claude-mem-context.mdc');
    await waitFor(() => existsSync(file) || null, { what: 'the rules file' });
    expect(readFileSync(file, 'utf8')).toMatch(/^---\n[^]*alwaysApply: true\n---\n[^]*discount/);
    expect(contextOf(await scenario.converse('c2')('sessionStart'))).not.toContain('discount.ts');
  });
});

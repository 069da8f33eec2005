import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  bySize,
  createTempHome,
  peekDatabase,
  runHook,
  startWorker,
  waitUntilDrained,
  workspacePaths,
  type HookRun,
  type TempHome,
  type WorkerProcess,
} from '@claude-mem/testing';
import { adapterFor } from '@claude-mem/host-adapters';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FIXTURES = path.join(workspacePaths.root, 'libs/host-adapters/src/__fixtures__');

/** One conversation of each host, as names of payloads in the order of the host. */
const CONVERSATIONS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': [
    'SessionStart.startup',
    'UserPromptSubmit',
    'PostToolUse.Bash',
    'PostToolUseFailure.Bash',
    'PostToolUse.Edit.in-subagent',
    'Stop',
    'SessionEnd.clear',
  ],
  cursor: [
    'sessionStart',
    'beforeSubmitPrompt',
    'postToolUse.Shell',
    'postToolUse.Write',
    'afterAgentResponse',
    'stop',
    'sessionEnd',
  ],
  codex: [
    'SessionStart.startup',
    'UserPromptSubmit',
    'PostToolUse.Bash',
    'PostToolUse.apply_patch',
    'Stop',
    'SessionEnd',
  ],
  'gemini-cli': [
    'SessionStart.startup',
    'BeforeAgent',
    'AfterTool.run_shell_command',
    'AfterTool.write_file',
    'AfterAgent',
    'SessionEnd',
  ],
  opencode: [
    'sessionStart.new',
    'chatMessage',
    'toolExecuted.bash',
    'toolExecuted.write',
    'toolFailed.read',
    'sessionIdle',
    'sessionDeleted',
  ],
};

/** Matches fields that stop, block or control a host. No response may contain them. */
const STEERING =
  /"(?:decision|permission\w*|stopReason|suppressOutput|followup_message|user_message|agent_message|env|updated\w+)"|:false/;

/** Invalid payloads, as a faulty host or a program in between could send them. */
const ODD_BODIES: readonly string[] = [
  '',
  'null',
  '[1, {"session_id": "s"}]',
  '{"session_id": {"a": 1}, "conversation_id": 7}',
  '{"session_id": "s", "cwd": "/re',
  'not JSON at all; $(exit 2) `exit 2`',
  JSON.stringify({ session_id: 's', conversation_id: 's', cwd: 7, prompt: 'x'.repeat(1_000_000) }),
  JSON.stringify({ session_id: 'x'.repeat(1_000_000), tool_input: 'x', tool_name: ['x'] }),
  '{"a":'.repeat(5_000),
];

describe.each(Object.entries(CONVERSATIONS))('%s, through hook.sh', (host, names) => {
  let home: TempHome;
  let worker: WorkerProcess;
  beforeAll(async () => {
    // With a rules file for Cursor, responses contain no context.
    home = await createTempHome({ env: { CLAUDE_MEM_CURSOR_RULES: 'false', CLAUDE_MEM_EMBEDDER: 'none' } });
    mkdirSync(path.join(home.project, 'src'));
    worker = await startWorker(home);
  });
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  async function fire(event: string, body: string): Promise<HookRun> {
    const run = await runHook(home, event, body, { host });
    expect(run, `${event} ${body.slice(0, 80)}`).toMatchObject({ exit: 0, stderr: '' });
    if (run.stdout !== '') expect(JSON.parse(run.stdout)).toBeTypeOf('object');
    expect(run.stdout).not.toMatch(STEERING);
    return run;
  }

  /** Sends all events, and returns those whose response contains records of earlier sessions. */
  async function converse(changed = (text: string) => text): Promise<readonly string[]> {
    const given: string[] = [];
    for (const name of names) {
      const text = readFileSync(path.join(FIXTURES, host, `${name}.json`), 'utf8');
      const body = changed(text.replaceAll(/\/home\/(?:ada|dev)\/shop/g, home.project));
      const event = name.split('.')[0] ?? '';
      const { stdout } = await fire(event, body);
      if (stdout.includes('recorded in earlier sessions of demo')) given.push(event);
    }
    await waitUntilDrained(home);
    return given;
  }

  function stored() {
    using database = peekDatabase(home);
    const count = (from: string) => Number(database.value(`SELECT count(*) FROM ${from}`));
    return {
      projects: database.rows('SELECT name FROM projects').map((row) => row['name']),
      hosts: database.rows('SELECT DISTINCT host FROM sdk_sessions').map((row) => row['host']),
      sessions: count('sdk_sessions'),
      prompts: count('user_prompts'),
      observations: count('observations'),
      summaries: count('session_summaries'),
      notEnded: count("event_ledger WHERE outcome IS NULL OR outcome = 'dropped'"),
    };
  }

  it('B117 B138: stores a conversation once when its events are repeated, and injects it into the next one', async () => {
    expect(await converse()).toEqual([]);
    const once = stored();
    expect(once).toMatchObject({ projects: ['demo'], hosts: [host], sessions: 1, prompts: 1, notEnded: 0 });
    expect(once.observations + once.summaries).toBeGreaterThan(0);
    // Other hosts have prompt ids. Without ids, a repeated text counts as a new prompt.
    if (host !== 'gemini-cli') {
      await converse();
      expect(stored()).toEqual(once);
    }
    // A resumed Gemini CLI conversation does not contain the context of its start, so the next prompt gets it.
    const start = host === 'gemini-cli' ? 'BeforeAgent' : names[0]?.split('.')[0];
    let given: readonly string[] = [];
    let next = 1;
    // The conversation is repeated, because a hook can time out on a busy machine.
    for (; next < 5 && given[0] !== start; next += 1) {
      const id = `-00000000000${next + 1}`;
      given = await converse((text) => text.replaceAll(/-000000000001|ses_0001/g, id));
    }
    expect(given).toEqual([start]);
    expect(stored()).toMatchObject({ sessions: next, prompts: next, notEnded: 0 });
  });

  it('B018 B021: exits with code 0 and never blocks or redirects the host when the payload is invalid', async () => {
    const events = [...(adapterFor(host)?.events ?? []), 'Nope'];
    const rounds = bySize({ quick: 1, full: ODD_BODIES.length });
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        events.map((event, index) => fire(event, ODD_BODIES[(index + round) % ODD_BODIES.length] ?? '')),
      );
    expect((await worker.health()).ready).toBe(true);
    expect(stored().hosts).toEqual([host]);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import {
  systemClock,
  type CapturedEvent,
  type Clock,
  type PromptSubmitted,
  type FoundProject,
} from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { loadSettings } from '@claude-mem/settings';
import { claudePayloads } from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCapture } from './create-capture.js';
import { createHookReader } from './create-hook-reader.js';

setFlagsFromString('--allow-natives-syntax');
const haveSameClass = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: unknown,
  other: unknown,
) => boolean;

const SHOP: FoundProject = {
  project: { key: '/home/dev/shop', name: 'shop' },
  root: null,
  isExcluded: false,
};

function createCaptureOfList({
  found = SHOP,
  clock = systemClock,
}: { found?: FoundProject; clock?: Clock } = {}) {
  const committed: CapturedEvent[] = [];
  const { settings } = loadSettings({ env: {}, home: '/home/nobody' });
  const capture = createCapture({
    commit: {
      submit: async (event) => {
        committed.push(event);
        return { kind: 'stored', sessionId: 1, projectId: 1, promptNumber: 1 };
      },
    },
    relocation: { follow: () => null, record: () => undefined },
    findProject: () => found,
    settings: () => settings,
    clock,
    observerDir: '/nowhere',
  });
  return { capture, committed };
}

it('gives tool-use events the same V8 hidden class', async () => {
  const { capture, committed } = createCaptureOfList();
  const readHook = createHookReader({});
  const payloads = claudePayloads({ cwd: '/home/dev/shop' });
  const read = Array.from({ length: 50 }, () =>
    readHook({
      host: 'claude-code',
      event: 'PostToolUse',
      body: Buffer.from(JSON.stringify(payloads.toolUse())),
    }),
  );
  const events = read.map((input) => {
    if (input.kind !== 'event') throw new Error(input.kind);
    return input.event;
  });
  for (const event of events) await capture.take(event, { env: {} });
  // The last objects are compared, because V8 creates separate classes only after several objects.
  expect(haveSameClass(events.at(-2), events.at(-1))).toBe(true);
  expect(haveSameClass(committed.at(-2), committed.at(-1))).toBe(true);
});

describe('secrets of a session', () => {
  const base = {
    host: 'claude-code',
    cwd: '/home/dev/shop',
    projectDir: '/home/dev/shop',
    promptId: null,
    agentId: null,
    agentType: null,
  } as const;
  const prompt = (contentSessionId: string, text: string) =>
    ({ ...base, contentSessionId, kind: 'prompt', text }) as const;
  const reply = (contentSessionId: string, lastAssistantMessage: string) =>
    ({ ...base, contentSessionId, kind: 'turn-end', lastAssistantMessage, transcriptPath: null }) as const;

  it('are removed from later texts of the session when no label precedes them', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(prompt('s-1', 'The password is hunter42. Log in as ann.'), { env: {} });
    await capture.take(reply('s-1', 'I tried hunter42 as ann, and it works.'), { env: {} });
    expect(committed[1]).toMatchObject({
      lastAssistantMessage: 'I tried [redacted:secret] as ann, and it works.',
    });
  });

  it('are removed when the agent repeats a value that a tool printed', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(
      {
        ...{ ...base, contentSessionId: 's-1', kind: 'tool-use', toolName: 'Bash', toolUseId: 't-1' },
        ...{
          input: { command: 'docker compose config' },
          response: { stdout: 'REDIS_PASSWORD: Rk29sLtQ81mZ' },
        },
        ...{ outcome: 'succeeded', error: null, isInterrupt: false, durationMs: 5 },
      },
      { env: {} },
    );
    await capture.take(reply('s-1', 'The worker config uses Rk29sLtQ81mZ from now on.'), { env: {} });
    expect(JSON.stringify(committed)).not.toContain('Rk29sLtQ81mZ');
  });

  it.each([
    ['1ZCkKtg185c2z4', 'What is the API token of the Mollie sandbox?'],
    ['tulip', 'Wie lautet das Passwort der Datenbank?'],
    ['83920174', 'Which PIN opens the lab?'],
  ])('are removed when the user answers %s to "%s"', async (answer, question) => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(reply('s-1', `I need one more thing. ${question}`), { env: {} });
    await capture.take(prompt('s-1', answer), { env: {} });
    await capture.take(reply('s-1', `I stored ${answer} in the vault.`), { env: {} });
    expect(committed[1]).toMatchObject({ text: '[redacted:secret]' });
    expect(JSON.stringify(committed)).not.toContain(answer);
  });

  it('keeps the answer when the question only mentions a secret', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(reply('s-1', 'Which token limit should the tests use?'), { env: {} });
    await capture.take(prompt('s-1', '4000'), { env: {} });
    expect(committed[1]).toMatchObject({ text: '4000' });
  });

  it('are removed when the agent repeats a private text', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(prompt('s-1', 'Never mention <private>Contoso</private>. The password is hunter42.'), {
      env: {},
    });
    await capture.take(reply('s-1', 'I will never mention Contoso, and log in with hunter42.'), { env: {} });
    expect(JSON.stringify(committed)).not.toMatch(/Contoso|hunter42/);
  });

  it('are removed when the same text repeats them', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(prompt('s-1', 'Log in with the password hunter42. If hunter42 fails, stop.'), {
      env: {},
    });
    expect(JSON.stringify(committed)).not.toContain('hunter42');
  });

  it('remain in texts of other sessions, and ordinary words remain everywhere', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(prompt('s-1', 'The password is hunter42. POSTGRES_PASSWORD=postgres'), { env: {} });
    await capture.take(reply('s-1', 'postgres runs'), { env: {} });
    await capture.take(reply('s-2', 'release hunter42'), { env: {} });
    expect(committed.slice(1)).toMatchObject([
      { lastAssistantMessage: 'postgres runs' },
      { lastAssistantMessage: 'release hunter42' },
    ]);
  });
});

describe('branch and commit of the checkout', () => {
  const SECRET = `ghp_${'a1B2'.repeat(9)}`;
  const NOW = Date.UTC(2026, 0, 1);

  /** Returns the branch data that is stored with a prompt in a repository on this branch. */
  async function headOf(branch: string, occurredAtEpoch: number) {
    const folder = mkdtempSync(join(tmpdir(), 'capture-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
    git('init', '-q', '-b', branch);
    git('commit', '-q', '--allow-empty', '-m', 'Begin');
    const { capture, committed } = createCaptureOfList({
      found: { project: { key: folder, name: 'demo' }, root: folder, isExcluded: false },
      clock: createFixedClock(NOW),
    });
    const prompt: PromptSubmitted = {
      ...{ kind: 'prompt', host: 'claude-code', contentSessionId: 's-1', text: 'Go on' },
      ...{ cwd: folder, projectDir: null, promptId: null, agentId: null, agentType: null },
    };
    await capture.take(prompt, { env: {}, occurredAtEpoch });
    return { head: committed[0]?.head, commit: git('rev-parse', 'HEAD') };
  }

  it('are stored with a prompt, without secrets', async () => {
    const { head, commit } = await headOf(`fix-${SECRET}`, NOW);
    expect(head).toMatchObject({ commit, branch: expect.stringMatching(/^fix-/) });
    expect(JSON.stringify(head)).not.toContain(SECRET);
  });

  it('are not stored when the prompt was submitted a minute before it is stored', async () => {
    expect((await headOf('main', NOW - 60_000)).head).toBeUndefined();
  });
});

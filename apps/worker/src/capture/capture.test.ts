import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Observation, Session, UserPrompt } from '@claude-mem/core';
import { processorTime } from '@claude-mem/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

const tool = (id: string, more: object = {}) => ({
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command: `echo ${id}` },
  tool_response: { stdout: id, stderr: '' },
  ...more,
});

describe('capture', { timeout: 60_000 }, () => {
  let worker: TestWorker;
  let secretFolder: string;
  beforeAll(async () => {
    worker = await startTestWorker({
      settings: { CLAUDE_MEM_EXCLUDED_PROJECTS: '~/secret/**', CLAUDE_MEM_SKIP_TOOLS: 'TodoWrite' },
    });
    secretFolder = join(worker.home.home, 'secret');
    mkdirSync(join(secretFolder, 'deep'), { recursive: true });
    symlinkSync(secretFolder, join(worker.home.home, 'innocent'));
  }, 60_000);
  afterAll(() => worker[Symbol.asyncDispose]());

  const inDemo = (session_id: string, more: object) => ({ session_id, cwd: worker.home.project, ...more });
  const sessionOf = async (contentSessionId: string) => {
    const answer = await worker.ask({ path: `/api/sessions?contentSessionId=${contentSessionId}` });
    return (answer.json as { items: Session[] }).items[0];
  };
  const stats = async () =>
    (await worker.ask({ path: '/api/stats' })).json as { outcomes: Record<string, number>; sessions: number };
  const ended = (outcomes: Record<string, number>) =>
    Object.values(outcomes).reduce((sum, count) => sum + count, 0);

  it('B010: processes events that arrive after the session ended', async () => {
    const before = ended((await stats()).outcomes);
    await worker.hook('UserPromptSubmit', inDemo('b010', { prompt: 'go' }));
    await worker.hook('Stop', inDemo('b010', { last_assistant_message: 'done' }));
    await worker.hook('SessionEnd', inDemo('b010', { reason: 'other' }));
    await worker.drained();
    expect((await sessionOf('b010'))?.status).toBe('completed');
    await worker.hook('UserPromptSubmit', inDemo('b010', { prompt: 'more' }));
    for (const id of ['1', '2', '3']) await worker.hook('PostToolUse', inDemo('b010', tool(id)));
    expect((await sessionOf('b010'))?.status).toBe('active');
    await worker.hook('Stop', inDemo('b010', { last_assistant_message: 'done again' }));
    await worker.drained();
    expect(ended((await stats()).outcomes) - before).toBe(5);
  });

  it('B012: processes all events when the chat is cleared or the user logs out', async () => {
    const before = ended((await stats()).outcomes);
    for (const reason of ['clear', 'logout']) {
      await worker.hook('UserPromptSubmit', inDemo(`b012-${reason}`, { prompt: 'go' }));
      for (let index = 0; index < 10; index += 1)
        await worker.hook('PostToolUse', inDemo(`b012-${reason}`, tool(String(index))));
      await worker.hook('SessionEnd', inDemo(`b012-${reason}`, { reason }));
    }
    await worker.drained();
    // Ten tool uses and the end of an unfinished turn, for each of the two reasons.
    expect(ended((await stats()).outcomes) - before).toBe(22);
    expect((await stats()).outcomes['dropped']).toBe(0);
  });

  it('B021: answers in the format of the host when a session start has no session id or no folder', async () => {
    for (const payload of [{ cwd: worker.home.project }, { session_id: 'b021' }, {}, [], null, 'x']) {
      const answer = await worker.hook('SessionStart', payload);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toEqual({
        hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: '' },
      });
    }
  });

  it('answers with 200 and the format of the host when an event cannot be read', async () => {
    expect(await worker.hook('Stop', '{"session_id":')).toMatchObject({ status: 200 });
    expect(await worker.hook('NoSuchEvent', { session_id: 's' })).toMatchObject({ status: 200, text: '' });
    const unknownHost = await worker.ask({ method: 'POST', path: '/api/hooks/nobody/Stop', body: {} });
    expect(unknownHost).toMatchObject({ status: 200, text: '' });
    const empty = await worker.ask({ method: 'POST', path: '/api/hooks/claude-code/Stop' });
    expect(empty.status).toBe(200);
    expect((await worker.health()).notices).toEqual([expect.stringContaining('Events without content: 1')]);
  });

  it('B093: assigns the project of a later event when the first event of a session has no folder', async () => {
    await worker.hook('PostToolUse', { session_id: 'b093', ...tool('1') });
    await worker.hook('UserPromptSubmit', inDemo('b093', { prompt: 'go' }));
    await worker.hook('Stop', inDemo('b093', { last_assistant_message: 'done' }));
    await worker.drained();
    const session = await sessionOf('b093');
    const projects = (await worker.ask({ path: '/api/projects' })).json as {
      items: { id: number; key: string }[];
    };
    const key = projects.items.find(({ id }) => id === session?.projectId)?.key;
    expect(key).toBe(worker.home.project);
    const { items } = (await worker.ask({ path: `/api/observations?sessionId=${session?.id}` })).json as {
      items: Observation[];
    };
    for (const { projectId } of items) expect(projectId).toBe(session?.projectId);
  });

  it('B138: stores an event once when it is sent ten times at the same time', async () => {
    const before = ended((await stats()).outcomes);
    await worker.hook('UserPromptSubmit', inDemo('b138', { prompt: 'go' }));
    await Promise.all(
      Array.from({ length: 10 }, () => worker.hook('PostToolUse', inDemo('b138', tool('same')))),
    );
    const { id } = (await sessionOf('b138')) as Session;
    const status = (await worker.ask({ path: `/api/sessions/${id}/status` })).json;
    expect(status).toMatchObject({ pending: 1, isProcessing: true });
    await worker.hook('Stop', inDemo('b138', { last_assistant_message: 'x' }));
    await worker.drained();
    expect(ended((await stats()).outcomes) - before).toBe(2);
    expect((await worker.ask({ path: `/api/sessions/${id}/status` })).json).toMatchObject({
      isProcessing: false,
    });
  });

  it('counts all pending messages of a session when there are more than one list page returns', async () => {
    await worker.hook('UserPromptSubmit', inDemo('many', { prompt: 'go' }));
    for (let from = 0; from < 520; from += 40)
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          worker.hook('PostToolUse', inDemo('many', tool(`many-${from + index}`))),
        ),
      );
    const { id } = (await sessionOf('many')) as Session;
    const status = (await worker.ask({ path: `/api/sessions/${id}/status` })).json;
    expect(status).toMatchObject({ pending: 520, processing: 0, parked: 0 });
    await worker.hook('Stop', inDemo('many', { last_assistant_message: 'x' }));
    await worker.drained();
  });

  it('B072: stores nothing of an excluded project when an event names the project by its name, a link or a subfolder', async () => {
    const before = await stats();
    for (const cwd of [secretFolder, join(secretFolder, 'deep'), join(worker.home.home, 'innocent')]) {
      const base = { session_id: `b072-${cwd.length}`, cwd };
      const start = await worker.hook('SessionStart', { ...base, source: 'startup' });
      expect(JSON.parse(start.text).hookSpecificOutput.additionalContext).toBe('');
      await worker.hook('UserPromptSubmit', { ...base, prompt: 'hush-7731' });
      await worker.hook('PostToolUse', { ...base, ...tool('1') });
      await worker.hook('Stop', { ...base, last_assistant_message: 'hush-7731' });
      await worker.hook('SessionEnd', { ...base, reason: 'other' });
      const init = await worker.ask({
        method: 'POST',
        path: '/api/sessions/init',
        body: { contentSessionId: 'x', cwd },
      });
      expect(init.json).toMatchObject({ kind: 'excluded', sessionId: null });
    }
    expect((await stats()).sessions).toBe(before.sessions);
    expect(grepDataDir(worker, ['hush-7731'])).toEqual([]);
  });

  it('counts tool uses that a setting skips, and stores nothing of them', async () => {
    const before = (await stats()).outcomes['filtered'] ?? 0;
    await worker.hook(
      'PostToolUse',
      inDemo('skip', tool('1', { tool_name: 'TodoWrite', tool_input: { todos: 'plan-4417' } })),
    );
    expect((await stats()).outcomes['filtered']).toBe(before + 1);
    expect(grepDataDir(worker, ['plan-4417'])).toEqual([]);
  });

  it('stores events that are already normalised in the same way as host events', async () => {
    const post = (path: string, body: object) =>
      worker.ask({ method: 'POST', path: `/api/sessions/${path}`, body });
    const base = { contentSessionId: 'norm', cwd: worker.home.project };
    const init = { ...base, prompt: 'go <private>zeta-norm</private>', eventId: 'e1' };
    expect((await post('init', init)).json).toMatchObject({ kind: 'stored', promptNumber: 1 });
    expect((await post('init', init)).json).toMatchObject({ kind: 'duplicate', promptNumber: 1 });
    const use = { ...base, toolName: 'Bash', toolUseId: 't1', input: { command: 'ls' }, response: 'ok' };
    expect((await post('observations', use)).json).toMatchObject({ kind: 'stored', promptNumber: 1 });
    expect((await post('summarize', { ...base, lastAssistantMessage: 'done' })).json).toMatchObject({
      kind: 'stored',
    });
    await worker.drained();
    expect((await post('observations', { ...use, toolName: 7 })).status).toBe(400);
    expect((await post('init', {})).status).toBe(400);
    expect(grepDataDir(worker, ['zeta-norm'])).toEqual([]);
  });

  it('B067: writes no secret of a command or its output to any file', async () => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7bq2PEMBODY'.repeat(4)}\n-----END RSA PRIVATE KEY-----`;
    await worker.hook('UserPromptSubmit', inDemo('b067', { prompt: 'rotate' }));
    await worker.hook(
      'PostToolUse',
      inDemo('b067', {
        tool_name: 'Bash',
        tool_use_id: '1',
        tool_input: {
          command: 'export PGPASSWORD=S3cr3t-XYZ; curl -H "Authorization: Bearer tok-XYZ-998877" http://x',
        },
        tool_response: { stdout: `AKIAQWERTYUIOPASDFGH\n${pem}` },
      }),
    );
    await worker.hook(
      'Stop',
      inDemo('b067', {
        last_assistant_message: 'Rotated AKIAQWERTYUIOPASDFGH, S3cr3t-XYZ is gone: PGPASSWORD=S3cr3t-XYZ',
      }),
    );
    await worker.drained();
    expect(
      grepDataDir(worker, ['AKIAQWERTYUIOPASDFGH', 'tok-XYZ-998877', 'PEMBODY', 'PGPASSWORD=S3cr3t-XYZ']),
    ).toEqual([]);
  });

  it('B068: removes text in private tags of any case, and keeps the rest', async () => {
    await worker.hook('UserPromptSubmit', inDemo('b068', { prompt: '<PRIVATE>zeta9</Private> ok-b068' }));
    const { id } = (await sessionOf('b068')) as Session;
    const { items } = (await worker.ask({ path: `/api/prompts?sessionId=${id}` })).json as {
      items: UserPrompt[];
    };
    expect(items[0]?.promptText).toContain('ok-b068');
    expect(grepDataDir(worker, ['zeta9'])).toEqual([]);
  });

  it('B069: removes private text from closing messages and nested input', async () => {
    await worker.hook('UserPromptSubmit', inDemo('b069', { prompt: 'go' }));
    await worker.hook(
      'PostToolUse',
      inDemo(
        'b069',
        tool('1', {
          tool_input: { a: [{ b: 'x <private>omega7</private> y' }], omega: { c: '<private>omega8' } },
        }),
      ),
    );
    await worker.hook('Stop', inDemo('b069', { last_assistant_message: 'Done. <private>omega7</private>' }));
    await worker.drained();
    expect(grepDataDir(worker, ['omega7', 'omega8'])).toEqual([]);
  });

  it('B071: creates only files that other users cannot read', async () => {
    const open: string[] = [];
    for (const path of filesBelow(worker.home.paths.dataDir)) {
      const mode = statSync(path).mode & 0o777;
      if (path !== worker.home.paths.settingsFile && (mode & 0o077) !== 0)
        open.push(`${path} ${mode.toString(8)}`);
    }
    expect(open).toEqual([]);
  });

  it('B168: answers every hook from the same process while many sessions start and use tools', async () => {
    const { pid } = await worker.health();
    const spent = processorTime();
    const answers = [];
    for (let index = 0; index < 20; index += 1)
      answers.push(await worker.hook('SessionStart', inDemo(`b168-${index}`, { source: 'startup' })));
    for (let index = 0; index < 50; index += 1)
      answers.push(await worker.hook('PostToolUse', inDemo('b168', tool(String(index)))));
    // Other programs on the machine do not increase the processor time of this process.
    expect(spent() / answers.length).toBeLessThan(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await worker.health()).pid).toBe(pid);
  });

  it('stores the events of the spool, oldest first, and moves unreadable files to spool/rejected', async () => {
    const { spoolDir, rejectedDir } = worker.home.paths;
    const envelope = (event: string, id: string, payload: object) =>
      `host: claude-code\nevent: ${event}\nevent-id: ${id}\nproject-dir: ${worker.home.project}\n\n${JSON.stringify(payload)}\n`;
    writeFileSync(
      join(spoolDir, 'claude-code.UserPromptSubmit.a.json'),
      envelope('UserPromptSubmit', 'a', { session_id: 'spool', prompt: 'from the spool' }),
    );
    writeFileSync(
      join(spoolDir, 'claude-code.PostToolUse.b.json'),
      envelope('PostToolUse', 'b', { session_id: 'spool', ...tool('1') }),
    );
    writeFileSync(join(spoolDir, 'claude-code.PostToolUse.c.json'), 'no json at all');
    writeFileSync(
      join(spoolDir, 'claude-code.PostToolUse.e.json'),
      `host: claude-code\nproject-dir: ${secretFolder}\n\nno json either`,
    );
    const large = join(worker.home.home, 'large');
    writeFileSync(large, `host: claude-code\nproject-dir: ${secretFolder}\n\n{"session_id": "spool"`);
    truncateSync(large, 34 * 1024 * 1024);
    renameSync(large, join(spoolDir, 'claude-code.PostToolUse.f.json'));
    writeFileSync(join(spoolDir, 'claude-code.PostToolUse.d.tmp'), 'unfinished');
    await until(() => readdirSync(spoolDir).filter((name) => name.endsWith('.json')).length === 0);
    expect(readdirSync(rejectedDir)).toEqual(['claude-code.PostToolUse.c.json']);
    expect(readdirSync(spoolDir)).toContain('claude-code.PostToolUse.d.tmp');
    expect(await sessionOf('spool')).toMatchObject({ promptCounter: 1, userPrompt: 'from the spool' });
    expect((await worker.health()).notices.join()).toContain('spool/rejected');
  });

  it('previews the context of a folder', async () => {
    const answer = (await worker.ask({ path: `/api/context?cwd=${encodeURIComponent(worker.home.project)}` }))
      .json;
    expect(answer).toMatchObject({ project: { key: worker.home.project }, shown: expect.any(Array) });
    const hidden = (await worker.ask({ path: `/api/context?cwd=${encodeURIComponent(secretFolder)}` })).json;
    expect(hidden).toMatchObject({ text: '' });
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Lists the files of the data folder that contain one of the texts. */
function grepDataDir(worker: TestWorker, needles: readonly string[]): string[] {
  return filesBelow(worker.home.paths.dataDir).flatMap((path) => {
    const bytes = readFileSync(path);
    return needles.filter((needle) => bytes.includes(needle)).map((needle) => `${needle} in ${path}`);
  });
}

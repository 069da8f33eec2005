import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { loadDriver } from '@claude-mem/storage/driver';
import { WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

interface Answer {
  hookSpecificOutput: { hookEventName: string; additionalContext: string };
  systemMessage?: string;
}
interface Preview {
  text: string;
  tokens: number;
  maxTokens: number;
  shown: { title: string }[];
  leftOut: { id: number; reason: string }[];
  total: number;
  offReason: string | null;
  reason: string | null;
}

const recordsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| #'));

describe('giving it back', { timeout: 60_000 }, () => {
  let worker: TestWorker;
  let project: string;

  beforeAll(async () => {
    worker = await startTestWorker({ settings: { CLAUDE_MEM_RECALL_ON_PROMPT: true } });
    project = worker.home.project;
    mkdirSync(join(project, 'src'));
    writeFileSync(join(project, 'src', 'cart.ts'), 'export {};\n');
    writeFileSync(join(worker.home.home, 'outside.ts'), 'export {};\n');
    symlinkSync(join(worker.home.home, 'outside.ts'), join(project, 'src', 'link.ts'));
    await work('before', 'Vouchers were lost when the currency changed; the total applies them last now.');
    // the first question opens what is searched, and may go on without an answer
    await preview({ file: 'src/cart.ts' });
  }, 60_000);
  afterAll(() => worker[Symbol.asyncDispose]());

  /** One turn that edits src/cart.ts, observed. */
  async function work(session: string, closing: string, file = 'src/cart.ts') {
    await hook('UserPromptSubmit', session, { prompt: 'Fix the voucher total of the cart' });
    await hook('PostToolUse', session, {
      tool_name: 'Edit',
      tool_use_id: `edit-${session}-${closing.length}`,
      tool_input: { file_path: join(project, file), old_string: 'a', new_string: closing.slice(0, 20) },
      tool_response: { filePath: join(project, file), success: true },
    });
    await hook('Stop', session, { last_assistant_message: closing });
    await worker.drained();
  }

  function hook(event: string, session: string, fields: object = {}) {
    return worker.hook(event, { session_id: session, cwd: project, ...fields });
  }
  async function contextOf(event: string, session: string, fields: object = {}) {
    const { text } = await hook(event, session, fields);
    return text === '' ? '' : (JSON.parse(text) as Answer).hookSpecificOutput.additionalContext;
  }
  const start = (session: string, source: string, more: object = {}) =>
    contextOf('SessionStart', session, { source, ...more });
  const read = (session: string, path: string, more: object = {}) =>
    contextOf('FileRead', session, {
      tool_name: 'Read',
      tool_use_id: randomUUID(),
      tool_input: { file_path: path },
      tool_response: {},
      ...more,
    });
  async function taken() {
    const { json } = await worker.ask({ path: '/api/health' });
    return (json as { capture: { events: number } }).capture.events;
  }
  /** What comes too late on a busy machine is left out, and told when it is asked for again. */
  async function told(ask: () => Promise<string>): Promise<string> {
    let text = '';
    await expect.poll(async () => (text = await ask())).not.toBe('');
    return text;
  }
  async function change(changes: Record<string, unknown>) {
    const headers = { [WORKER_TOKEN_HEADER]: readFileSync(worker.home.paths.tokenFile, 'utf8').trim() };
    const answer = await worker.ask({ method: 'POST', path: '/api/settings', body: changes, headers });
    expect(answer.status, answer.text).toBe(200);
  }
  async function preview(query: Record<string, string>): Promise<Preview> {
    const search = new URLSearchParams({ cwd: project, ...query });
    return (await worker.ask({ path: `/api/context?${search}` })).json as Preview;
  }

  it('B161: three prompts bring the context once; compacting or clearing brings it once more', async () => {
    expect(await start('once', 'startup')).toContain('Vouchers');
    expect(await start('once', 'startup')).toBe('');
    for (const prompt of ['a', 'b', 'c'])
      expect(await contextOf('UserPromptSubmit', 'once', { prompt })).toBe('');
    expect(await start('once', 'resume')).toBe('');
    expect(await start('once', 'compact')).toContain('Vouchers');
    expect(await start('cleared', 'clear')).toContain('Vouchers');
  });

  it('R08: injects context once when a session from before the installation is resumed', async () => {
    expect(await start('older', 'resume')).toContain('Vouchers');
    expect(await start('older', 'resume')).toBe('');
    expect(await contextOf('UserPromptSubmit', 'older', { prompt: 'a' })).toBe('');
    expect(await start('older', 'compact')).toContain('Vouchers');
  });

  it('R08: injects context with the next prompt of a resumed session from the spool only when the session is new', async () => {
    const { spoolDir } = worker.home.paths;
    const spool = async (session_id: string) => {
      const payload = JSON.stringify({ session_id, cwd: project, source: 'resume' });
      const file = join(spoolDir, `claude-code.SessionStart.${session_id}.json`);
      writeFileSync(file, `host: claude-code\nevent: SessionStart\nevent-id: ${session_id}\n\n${payload}`);
      await until(() => !existsSync(file));
    };
    await spool('older-spooled');
    expect(await contextOf('UserPromptSubmit', 'older-spooled', { prompt: 'a' })).toContain(
      'Where it stands',
    );
    await spool('older-spooled');
    expect(await contextOf('UserPromptSubmit', 'older-spooled', { prompt: 'b' })).toBe('');
  });

  it('R08: injects no context into a fork when a session of the project can be its parent', async () => {
    expect(await start('forked', 'fork')).toBe('');
    expect(await contextOf('UserPromptSubmit', 'forked', { prompt: 'a' })).toBe('');
    expect(await start('forked', 'compact')).toContain('Vouchers');
  });

  it('a session that started while nobody was there is given its context with its next prompt, once', async () => {
    const { spoolDir } = worker.home.paths;
    const payload = { session_id: 'missed', cwd: project, source: 'startup' };
    const file = join(spoolDir, 'claude-code.SessionStart.missed.json');
    writeFileSync(
      file,
      `host: claude-code\nevent: SessionStart\nevent-id: missed\n\n${JSON.stringify(payload)}`,
    );
    await until(() => !existsSync(file));
    const asked = new Date();
    expect(await contextOf('UserPromptSubmit', 'missed', { prompt: 'a' })).toContain('Where it stands');
    expect(await contextOf('UserPromptSubmit', 'missed', { prompt: 'b' })).toBe('');
    // the hook of the first prompt had left its event behind before the answer came
    const late = join(spoolDir, 'claude-code.UserPromptSubmit.late.json');
    const prompt = { session_id: 'missed', cwd: project, prompt: 'a' };
    writeFileSync(
      `${late}.tmp`,
      `host: claude-code\nevent: UserPromptSubmit\nevent-id: late\n\n${JSON.stringify(prompt)}`,
    );
    utimesSync(`${late}.tmp`, asked, asked);
    renameSync(`${late}.tmp`, late);
    await until(() => !existsSync(late));
    expect(await contextOf('UserPromptSubmit', 'missed', { prompt: 'c' })).toContain('Where it stands');
  });

  it('context that a hook did not wait for is given with the next prompt', async () => {
    const askAndLeave = async (event: string, more: object) => {
      const before = await taken();
      const call = request({
        socketPath: worker.home.paths.socket,
        method: 'POST',
        path: `/api/hooks/claude-code/${event}`,
        headers: { 'content-type': 'application/json' },
        agent: false,
      });
      call.on('error', () => undefined);
      call.end(JSON.stringify({ session_id: 'left', cwd: project, ...more }), () => call.destroy());
      await until(async () => (await taken()) > before);
      // takes as long as the answer that nobody waits for
      await preview({});
    };
    await askAndLeave('SessionStart', { source: 'startup' });
    await askAndLeave('UserPromptSubmit', { prompt: 'a' });
    expect(await contextOf('UserPromptSubmit', 'left', { prompt: 'b' })).toContain('Where it stands');
    expect(await contextOf('UserPromptSubmit', 'left', { prompt: 'c' })).toBe('');
    await askAndLeave('SessionStart', { source: 'resume' });
    expect(await contextOf('UserPromptSubmit', 'left', { prompt: 'd' })).toBe('');
  });

  it('injects context with the next prompt when the hook stopped reading before the response', async () => {
    const before = await taken();
    const body = JSON.stringify({ session_id: 'unread', cwd: project, source: 'startup' });
    const hook = new Socket();
    hook.pause();
    hook.connect(worker.home.paths.socket);
    hook.write(
      `POST /api/hooks/claude-code/SessionStart HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await until(async () => (await taken()) > before);
    // takes as long as the answer
    await preview({});
    hook.destroy();
    await expect
      .poll(() => contextOf('UserPromptSubmit', 'unread', { prompt: 'b' }))
      .toContain('Where it stands');
    expect(await contextOf('UserPromptSubmit', 'unread', { prompt: 'c' })).toBe('');
  });

  it('B165: a sub-agent is given nothing', async () => {
    const inAgent = { agent_id: 'a1', agent_type: 'Explore' };
    const path = join(project, 'src', 'cart.ts');
    expect(await read('helper', path, inAgent)).toBe('');
    expect(await start('helper', 'startup', inAgent)).toBe('');
    expect(
      await contextOf('UserPromptSubmit', 'helper', { prompt: 'voucher total of the cart', ...inAgent }),
    ).toBe('');
    expect(await told(() => read('helper', path))).toContain('Vouchers');
  });

  it('answers a file read with the history of the file once in a session, and stores nothing before the answer', async () => {
    const path = join(project, 'src', 'cart.ts');
    const stats = async () => (await worker.ask({ path: '/api/stats' })).json;
    const before = await stats();
    const text = await told(() => read('reader', path));
    expect(text).toContain('recorded about `src/cart.ts`');
    expect(recordsIn(text).length).toBeGreaterThan(0);
    expect(recordsIn(text).length).toBeLessThanOrEqual(5);
    expect(await read('reader', path)).toBe('');
    expect(await told(() => read('other reader', 'src/cart.ts'))).toBe(text);
    expect(await stats()).toEqual(before);
  });

  it('stores a file read from the spool after its answer', async () => {
    const { spoolDir } = worker.home.paths;
    const payload = {
      session_id: 'spooled reader',
      cwd: project,
      tool_name: 'Read',
      tool_use_id: 'spooled-read',
      tool_input: { file_path: join(project, 'src', 'cart.ts') },
      tool_response: {},
    };
    const body = `host: claude-code\nevent: FileRead\nevent-id: read-1\n\n${JSON.stringify(payload)}`;
    const file = join(spoolDir, 'claude-code.FileRead.read-1.tmp');
    writeFileSync(file, body);
    const before = await taken();
    const { text } = await worker.hook('FileRead', body, { 'content-type': 'application/x-claude-mem-hook' });
    expect(text).toContain('"PostToolUse"');
    expect(existsSync(file)).toBe(false);
    await until(async () => (await taken()) === before + 1);
    expect(existsSync(file.replace('.tmp', '.json'))).toBe(false);
    await hook('Stop', 'spooled reader', { last_assistant_message: 'The file was read.' });
    await worker.drained();
  });

  it('says nothing of files that nothing is known of, or that are not of the project', async () => {
    expect(await read('elsewhere', join(project, 'cart.ts'))).toBe('');
    expect(await read('elsewhere', join(project, 'src', 'cart.ts.bak'))).toBe('');
    expect(await read('elsewhere', join(worker.home.home, 'outside.ts'))).toBe('');
    expect(await read('elsewhere', join(project, 'src', 'link.ts'))).toBe('');
    expect(await told(() => read('elsewhere', `${project}/../demo/src/cart.ts`))).toContain('Vouchers');
  });

  it('gives nothing twice in a session, nor what the session did itself', async () => {
    await start('known', 'startup');
    expect(await read('known', join(project, 'src', 'cart.ts'))).toBe('');
    await work('doer', 'Money is kept in whole cents since floats made two invoices differ.', 'src/money.ts');
    expect(await read('doer', join(project, 'src', 'money.ts'))).toBe('');
    expect(await told(() => read('next', join(project, 'src', 'money.ts')))).toContain('cents');
  });

  it('after it was compacted a session is told first what it recorded itself', async () => {
    await work(
      'long',
      'The export streams rows, since all of them did not fit into memory.',
      'src/export.ts',
    );
    expect(await start('long', 'compact')).toContain('export streams rows');
    expect(await read('long', join(project, 'src', 'export.ts'))).toBe('');
  });

  it('what was done in a turn before it was compacted is observed by then, and the turn goes on', async () => {
    await hook('UserPromptSubmit', 'midway', { prompt: 'Bring the tariffs in' });
    const edit = (file: string) =>
      hook('PostToolUse', 'midway', {
        tool_name: 'Write',
        tool_use_id: file,
        tool_input: { file_path: join(project, file), content: 'export const tariff = 3;' },
        tool_response: { type: 'create', filePath: join(project, file) },
      });
    await edit('src/tariff.ts');
    const changed = async () => {
      const { items } = (await worker.ask({ path: '/api/observations' })).json as {
        items: { filesModified: string[] }[];
      };
      return items.flatMap(({ filesModified }) => filesModified);
    };
    expect((await hook('PreCompact', 'midway', { trigger: 'auto' })).text).toBe('');
    await until(async () => (await changed()).includes('src/tariff.ts'));
    expect(await start('midway', 'compact')).toContain('tariff.ts');
    await edit('src/duty.ts');
    await hook('Stop', 'midway', { last_assistant_message: 'Tariffs and duties are read from the table.' });
    await worker.drained();
    expect(await changed()).toEqual(expect.arrayContaining(['src/tariff.ts', 'src/duty.ts']));
  });

  it('recalls what fits a prompt, once, and nothing for another matter', async () => {
    const prompt = 'Why were vouchers lost when the currency changed?';
    const ask = (words: string) => contextOf('UserPromptSubmit', session, { prompt: words });
    let session = '';
    const text = await told(() => {
      session += 'asking';
      return ask(prompt);
    });
    expect(text).toContain('Vouchers were lost');
    expect(recordsIn(text).length).toBeLessThanOrEqual(3);
    expect(await ask(prompt)).not.toContain('Vouchers were lost');
    expect(await ask('Write a haiku about the sea in winter')).toBe('');
  });

  it('recalls with a later prompt what is on the matter of its session as well', async () => {
    const cwd = join(worker.home.home, 'warehouse');
    mkdirSync(cwd);
    const headers = { [WORKER_TOKEN_HEADER]: readFileSync(worker.home.paths.tokenFile, 'utf8').trim() };
    const save = (text: string) =>
      worker.ask({ method: 'POST', path: '/api/memory', body: { text, cwd }, headers });
    const label = 'goes to the thermal printer of the warehouse, with barcode and customs declaration';
    const texts = [
      'Gift vouchers expired a day early at checkout',
      ...Array.from({ length: 10 }, (_, number) => `Parcel label ${number} ${label}`),
      ...Array.from({ length: 30 }, (_, number) => `Looked at page ${number} of the catalogue`),
    ];
    await Promise.all(texts.map(save));
    const ask = (session: string, prompt: string) => contextOf('UserPromptSubmit', session, { prompt, cwd });
    const later = 'and when do gift vouchers expire?';
    let sessions = 0;
    const onVouchers = async () => {
      const session = `on vouchers ${(sessions += 1)}`;
      expect(await ask(session, 'fix what the checkout shows')).toBe('');
      return ask(session, later);
    };
    expect(await told(onVouchers)).toContain('Gift vouchers');
    let onLabels = '';
    const onLabel = () => ask((onLabels += 'on labels'), `a parcel label ${label}`);
    expect(await told(onLabel)).toContain('Parcel label');
    expect(await ask(onLabels, later)).toBe('');
  });

  it('says to the person in one line what was given, unless that is off', async () => {
    const answer = JSON.parse((await hook('SessionStart', 'told', { source: 'startup' })).text) as Answer;
    expect(answer.systemMessage).toMatch(/^claude-mem: \d+ of \d+ records injected \(about \d+ tokens\)\.$/);
    const again = JSON.parse((await hook('SessionStart', 'told', { source: 'resume' })).text) as Answer;
    expect(again.systemMessage).toBeUndefined();
    await change({ CLAUDE_MEM_CONTEXT_NOTICE: false });
    const untold = JSON.parse((await hook('SessionStart', 'untold', { source: 'startup' })).text) as Answer;
    expect(untold.systemMessage).toBeUndefined();
    expect(untold.hookSpecificOutput.additionalContext).not.toBe('');
  });

  it('previews all three with their cost, and why there is nothing', async () => {
    const whole = await preview({});
    expect(whole).toMatchObject({ offReason: null, reason: null });
    expect(whole.text).toBe(await start('previewed', 'startup'));
    expect(whole.total).toBeGreaterThanOrEqual(whole.shown.length);
    const file = await preview({ file: join(project, 'src', 'cart.ts') });
    expect(file.text).toContain('recorded about `src/cart.ts`');
    expect(file.tokens).toBeGreaterThan(0);
    expect(file.tokens).toBeLessThanOrEqual(file.maxTokens);
    expect(file.maxTokens).toBeLessThan(whole.maxTokens);
    expect(await preview({ file: '/etc/passwd' })).toMatchObject({
      text: '',
      reason: 'The file is not in the project.',
    });
    expect(await preview({ file: 'none.ts' })).toMatchObject({
      text: '',
      reason: 'No record names the file.',
    });
    expect((await preview({ prompt: 'vouchers lost when the currency changed' })).text).toContain('Vouchers');
    expect((await preview({ prompt: 'sea in winter' })).reason).toMatch(/^No record/);
    const both = await worker.ask({ path: '/api/context?prompt=a&file=b' });
    expect(both.status).toBe(400);
  });

  it('previews what was left out since it was superseded, and how to ask on for who has the tools', async () => {
    const headers = { [WORKER_TOKEN_HEADER]: readFileSync(worker.home.paths.tokenFile, 'utf8').trim() };
    const save = async (text: string, more: object = {}) => {
      const body = { text, cwd: project, pinned: true, ...more };
      const answer = await worker.ask({ method: 'POST', path: '/api/memory', body, headers });
      return (answer.json as { observation: { id: number } }).observation.id;
    };
    const older = await save('Deploy on Fridays only');
    const newer = await save('Deploy on Mondays only', { supersedes: [older] });
    const start = await preview({});
    expect(start.text).toContain('Mondays');
    expect(start.text).not.toContain('Fridays');
    expect(start.leftOut).toContainEqual(
      expect.objectContaining({ id: older, reason: `superseded by #${newer}` }),
    );
    expect(start.text).toContain('show ID');
    const { text } = await preview({ reader: 'mcp' });
    expect(text).toContain('Whole record: get_observations. Search: search_memory.');
    expect(text).not.toContain('show ID');
  });

  it('B163: a change of mode and back loses nothing, and shows the types of both', async () => {
    const set = (mode: string) => change({ CLAUDE_MEM_MODE: mode });
    const before = await preview({});
    await set('research');
    const meanwhile = await preview({});
    expect(meanwhile.shown).toEqual(before.shown);
    expect(meanwhile.text).not.toContain('▫️');
    await set('code');
    expect(await preview({})).toEqual(before);
  });

  it('B164: provides context and file history without waiting for the lock when another process writes', async () => {
    const logs = () =>
      readdirSync(worker.home.paths.logsDir).map((name) =>
        readFileSync(join(worker.home.paths.logsDir, name), 'utf8'),
      );
    const busy = loadDriver().open(worker.home.paths.database, {});
    try {
      busy.exec('BEGIN IMMEDIATE');
      const path = join(project, 'src', 'cart.ts');
      expect(await told(() => read('beside a writer', path))).toContain('Vouchers');
      expect((await preview({})).text).toContain('Vouchers');
    } finally {
      busy.close();
    }
    // a write would have waited for the lock and failed
    expect(logs().join()).not.toMatch(/storage\/busy|locked/);
  });

  it('what differs on the branch comes before what is newer', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        cwd: project,
        stdio: 'pipe',
      });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(project, 'f0.md'), 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'Begin');
    for (let index = 0; index < 9; index += 1)
      await work(
        `later-${index}`,
        `Finding number ${index} was written down in a file of its own.`,
        `f${index}.md`,
      );
    await change({ CLAUDE_MEM_CONTEXT_TOKENS: 330 });
    const whole = await preview({});
    expect(whole.shown.length).toBeGreaterThan(5);
    const hasOldest = ({ shown }: Preview) => shown.some(({ title }) => title.startsWith('f0.md: '));
    expect(hasOldest(whole)).toBe(false);
    writeFileSync(join(project, 'f0.md'), 'changed\n');
    await until(async () => hasOldest(await preview({})));
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openContextWorker, recordsIn, type HookOutput } from '../testing/open-context-worker.js';
import { until } from '../testing/start-test-worker.js';

const context = await openContextWorker();
const { worker, project } = context;
afterAll(() => context[Symbol.asyncDispose]());

describe('context delivery', { timeout: 60_000 }, () => {
  it('B161: injects the context once for three prompts, and once more after compacting or clearing', async () => {
    expect(await context.start('once', 'startup')).toContain('Vouchers');
    expect(await context.start('once', 'startup')).toBe('');
    for (const prompt of ['a', 'b', 'c'])
      expect(await context.contextOf('UserPromptSubmit', 'once', { prompt })).toBe('');
    expect(await context.start('once', 'resume')).toBe('');
    expect(await context.start('once', 'compact')).toContain('Vouchers');
    expect(await context.start('cleared', 'clear')).toContain('Vouchers');
  });

  it('R08: injects context once when a session that began before the installation is resumed', async () => {
    expect(await context.start('older', 'resume')).toContain('Vouchers');
    expect(await context.start('older', 'resume')).toBe('');
    expect(await context.contextOf('UserPromptSubmit', 'older', { prompt: 'a' })).toBe('');
    expect(await context.start('older', 'compact')).toContain('Vouchers');
  });

  it('R08: injects context with the next prompt of a session resumed from the spool only when the session is new', async () => {
    const { spoolDir } = worker.home.paths;
    const spool = async (session_id: string) => {
      const payload = JSON.stringify({ session_id, cwd: project, source: 'resume' });
      const file = join(spoolDir, `claude-code.SessionStart.${session_id}.json`);
      writeFileSync(file, `host: claude-code\nevent: SessionStart\nevent-id: ${session_id}\n\n${payload}`);
      await until(() => !existsSync(file));
    };
    await spool('older-spooled');
    expect(await context.contextOf('UserPromptSubmit', 'older-spooled', { prompt: 'a' })).toContain(
      'Where it stands',
    );
    await spool('older-spooled');
    expect(await context.contextOf('UserPromptSubmit', 'older-spooled', { prompt: 'b' })).toBe('');
  });

  it('R08: injects no context into a forked session when another session of the project can be its parent', async () => {
    expect(await context.start('forked', 'fork')).toBe('');
    expect(await context.contextOf('UserPromptSubmit', 'forked', { prompt: 'a' })).toBe('');
    expect(await context.start('forked', 'compact')).toContain('Vouchers');
  });

  it('injects context once with the next prompt when the worker was not running at the session start', async () => {
    const { spoolDir } = worker.home.paths;
    const payload = { session_id: 'missed', cwd: project, source: 'startup' };
    const file = join(spoolDir, 'claude-code.SessionStart.missed.json');
    writeFileSync(
      file,
      `host: claude-code\nevent: SessionStart\nevent-id: missed\n\n${JSON.stringify(payload)}`,
    );
    await until(() => !existsSync(file));
    const asked = new Date();
    expect(await context.contextOf('UserPromptSubmit', 'missed', { prompt: 'a' })).toContain(
      'Where it stands',
    );
    expect(await context.contextOf('UserPromptSubmit', 'missed', { prompt: 'b' })).toBe('');
    // the hook of the first prompt left its event in the spool before the answer arrived
    const late = join(spoolDir, 'claude-code.UserPromptSubmit.late.json');
    const prompt = { session_id: 'missed', cwd: project, prompt: 'a' };
    writeFileSync(
      `${late}.tmp`,
      `host: claude-code\nevent: UserPromptSubmit\nevent-id: late\n\n${JSON.stringify(prompt)}`,
    );
    utimesSync(`${late}.tmp`, asked, asked);
    renameSync(`${late}.tmp`, late);
    await until(() => !existsSync(late));
    expect(await context.contextOf('UserPromptSubmit', 'missed', { prompt: 'c' })).toContain(
      'Where it stands',
    );
  });

  it('injects context with the next prompt when the hook did not wait for the response', async () => {
    const askAndLeave = async (event: string, more: object) => {
      const before = await context.capturedEvents();
      const call = request({
        socketPath: worker.home.paths.socket,
        method: 'POST',
        path: `/api/hooks/claude-code/${event}`,
        headers: { 'content-type': 'application/json' },
        agent: false,
      });
      call.on('error', () => undefined);
      call.end(JSON.stringify({ session_id: 'left', cwd: project, ...more }), () => call.destroy());
      await until(async () => (await context.capturedEvents()) > before);
      // takes as long as the answer that the hook does not read
      await context.preview({});
    };
    await askAndLeave('SessionStart', { source: 'startup' });
    await askAndLeave('UserPromptSubmit', { prompt: 'a' });
    expect(await context.contextOf('UserPromptSubmit', 'left', { prompt: 'b' })).toContain('Where it stands');
    expect(await context.contextOf('UserPromptSubmit', 'left', { prompt: 'c' })).toBe('');
    await askAndLeave('SessionStart', { source: 'resume' });
    expect(await context.contextOf('UserPromptSubmit', 'left', { prompt: 'd' })).toBe('');
  });

  it('injects context with the next prompt when the hook stopped reading before the response', async () => {
    const before = await context.capturedEvents();
    const body = JSON.stringify({ session_id: 'unread', cwd: project, source: 'startup' });
    const hook = new Socket();
    hook.pause();
    hook.connect(worker.home.paths.socket);
    hook.write(
      `POST /api/hooks/claude-code/SessionStart HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await until(async () => (await context.capturedEvents()) > before);
    // takes as long as the answer
    await context.preview({});
    hook.destroy();
    await expect
      .poll(() => context.contextOf('UserPromptSubmit', 'unread', { prompt: 'b' }))
      .toContain('Where it stands');
    expect(await context.contextOf('UserPromptSubmit', 'unread', { prompt: 'c' })).toBe('');
  });

  it('observes the work of a turn before the session is compacted, and continues the turn', async () => {
    await context.hook('UserPromptSubmit', 'midway', { prompt: 'Bring the tariffs in' });
    const edit = (file: string) =>
      context.hook('PostToolUse', 'midway', {
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
    expect((await context.hook('PreCompact', 'midway', { trigger: 'auto' })).text).toBe('');
    await until(async () => (await changed()).includes('src/tariff.ts'));
    expect(await context.start('midway', 'compact')).toContain('tariff.ts');
    await edit('src/duty.ts');
    await context.hook('Stop', 'midway', {
      last_assistant_message: 'Tariffs and duties are read from the table.',
    });
    await worker.drained();
    expect(await changed()).toEqual(expect.arrayContaining(['src/tariff.ts', 'src/duty.ts']));
  });

  it('injects matching records with a prompt once, and nothing with an unrelated prompt', async () => {
    const prompt = 'Why were vouchers lost when the currency changed?';
    const ask = (words: string) => context.contextOf('UserPromptSubmit', session, { prompt: words });
    let session = '';
    const text = await context.poll(() => {
      session += 'asking';
      return ask(prompt);
    });
    expect(text).toContain('Vouchers were lost');
    expect(recordsIn(text).length).toBeLessThanOrEqual(3);
    expect(await ask(prompt)).not.toContain('Vouchers were lost');
    expect(await ask('Write a haiku about the sea in winter')).toBe('');
  });

  it('injects records with a later prompt only when they match the topic of the session', async () => {
    const cwd = join(worker.home.home, 'warehouse');
    mkdirSync(cwd);
    const save = (text: string) => context.post('/api/memory', { text, cwd });
    const label = 'goes to the thermal printer of the warehouse, with barcode and customs declaration';
    const texts = [
      'Gift vouchers expired a day early at checkout',
      ...Array.from({ length: 10 }, (_, number) => `Parcel label ${number} ${label}`),
      ...Array.from({ length: 30 }, (_, number) => `Looked at page ${number} of the catalogue`),
    ];
    await Promise.all(texts.map(save));
    const ask = (session: string, prompt: string) =>
      context.contextOf('UserPromptSubmit', session, { prompt, cwd });
    const later = 'and when do gift vouchers expire?';
    let sessions = 0;
    const onVouchers = async () => {
      const session = `on vouchers ${(sessions += 1)}`;
      expect(await ask(session, 'fix what the checkout shows')).toBe('');
      return ask(session, later);
    };
    expect(await context.poll(onVouchers)).toContain('Gift vouchers');
    let onLabels = '';
    const onLabel = () => ask((onLabels += 'on labels'), `a parcel label ${label}`);
    expect(await context.poll(onLabel)).toContain('Parcel label');
    expect(await ask(onLabels, later)).toBe('');
  });

  it('shows the user one line about the injected context unless CLAUDE_MEM_CONTEXT_NOTICE is off', async () => {
    const answer = JSON.parse(
      (await context.hook('SessionStart', 'told', { source: 'startup' })).text,
    ) as HookOutput;
    expect(answer.systemMessage).toMatch(/^claude-mem: \d+ of \d+ records injected \(about \d+ tokens\)\.$/);
    const again = JSON.parse(
      (await context.hook('SessionStart', 'told', { source: 'resume' })).text,
    ) as HookOutput;
    expect(again.systemMessage).toBeUndefined();
    await context.post('/api/settings', { CLAUDE_MEM_CONTEXT_NOTICE: false });
    const untold = JSON.parse(
      (await context.hook('SessionStart', 'untold', { source: 'startup' })).text,
    ) as HookOutput;
    expect(untold.systemMessage).toBeUndefined();
    expect(untold.hookSpecificOutput.additionalContext).not.toBe('');
  });

  it('previews context of session start, file read and prompt with its tokens, and the reason when it is empty', async () => {
    const full = await context.preview({});
    expect(full).toMatchObject({ offReason: null, reason: null });
    expect(full.text).toBe(await context.start('previewed', 'startup'));
    expect(full.total).toBeGreaterThanOrEqual(full.shown.length);
    const file = await context.preview({ file: join(project, 'src', 'cart.ts') });
    expect(file.text).toContain('recorded about `src/cart.ts`');
    expect(file.tokens).toBeGreaterThan(0);
    expect(file.tokens).toBeLessThanOrEqual(file.maxTokens);
    expect(file.maxTokens).toBeLessThan(full.maxTokens);
    expect(await context.preview({ file: '/etc/passwd' })).toMatchObject({
      text: '',
      reason: 'The file is not in the project.',
    });
    expect(await context.preview({ file: 'none.ts' })).toMatchObject({
      text: '',
      reason: 'No record names the path none.ts in this project.',
    });
    expect((await context.preview({ prompt: 'vouchers lost when the currency changed' })).text).toContain(
      'Vouchers',
    );
    expect((await context.preview({ prompt: 'sea in winter' })).reason).toMatch(/^No record/);
    const both = await worker.ask({ path: '/api/context?prompt=a&file=b' });
    expect(both.status).toBe(400);
  });

  it('previews the skipped superseded records, and names the MCP tools when the reader has them', async () => {
    const save = async (text: string, more: object = {}) => {
      const answer = await context.post('/api/memory', { text, cwd: project, pinned: true, ...more });
      return (answer.json as { observation: { id: number } }).observation.id;
    };
    const older = await save('Deploy on Fridays only');
    const newer = await save('Deploy on Mondays only', { supersedes: [older] });
    const start = await context.preview({});
    expect(start.text).toContain('Mondays');
    expect(start.text).not.toContain('Fridays');
    expect(start.skipped).toContainEqual(
      expect.objectContaining({ id: older, reason: `superseded by #${newer}` }),
    );
    expect(start.text).toContain('show ID');
    const { text } = await context.preview({ reader: 'mcp' });
    expect(text).toContain('Complete record: get_observations. Search: search_memory.');
    expect(text).not.toContain('show ID');
  });

  it('B163: shows the same records when the mode is changed, and the same text when it is changed back', async () => {
    const set = (mode: string) => context.post('/api/settings', { CLAUDE_MEM_MODE: mode });
    const before = await context.preview({});
    await set('research');
    const meanwhile = await context.preview({});
    expect(meanwhile.shown).toEqual(before.shown);
    expect(meanwhile.text).not.toContain('▫️');
    await set('code');
    expect(await context.preview({})).toEqual(before);
  });

  it('ranks records about files that differ on the branch above newer records', async () => {
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
      await context.work(
        `later-${index}`,
        `Finding number ${index} was written down in a file of its own.`,
        `f${index}.md`,
      );
    await context.post('/api/settings', { CLAUDE_MEM_CONTEXT_TOKENS: 330 });
    const full = await context.preview({});
    expect(full.shown.length).toBeGreaterThan(5);
    const hasOldest = async () =>
      (await context.preview({})).shown.some(({ title }) => title.startsWith('f0.md: '));
    expect(await hasOldest()).toBe(false);
    writeFileSync(join(project, 'f0.md'), 'changed\n');
    await until(hasOldest);
  });
});

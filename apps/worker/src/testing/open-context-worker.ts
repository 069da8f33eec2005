import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import { expect } from 'vitest';
import { startTestWorker, type TestAnswer, type TestWorker } from './start-test-worker.js';

/** The answer of Claude Code hooks that inject context. */
export interface HookOutput {
  hookSpecificOutput: { hookEventName: string; additionalContext: string };
  systemMessage?: string;
}

interface ContextPreview {
  text: string;
  tokens: number;
  maxTokens: number;
  shown: { title: string }[];
  skipped: { id: number; reason: string }[];
  statements: number;
  total: number;
  offReason: string | null;
  reason: string | null;
}

/** A worker whose memory has one observed turn about vouchers in `src/cart.ts`, with recall enabled. */
interface ContextWorker extends AsyncDisposable {
  worker: TestWorker;
  project: string;
  hook(event: string, session: string, fields?: object): Promise<TestAnswer>;
  /** The injected text, or ''. */
  contextOf(event: string, session: string, fields?: object): Promise<string>;
  start(session: string, source: string, more?: object): Promise<string>;
  /** The text for a file read. The event of the read is not in the spool, so it is not stored. */
  read(session: string, path: string, more?: object): Promise<string>;
  /** Plays one turn that edits a file, and waits until the turn is observed. */
  work(session: string, closing: string, file?: string): Promise<void>;
  /** Asks until the text is not empty: on a busy machine, late text is not injected. */
  poll(ask: () => Promise<string>): Promise<string>;
  preview(query: Record<string, string>): Promise<ContextPreview>;
  post(path: string, body: object): Promise<TestAnswer>;
  capturedEvents(): Promise<number>;
}

const HOOK_TYPE = 'application/x-claude-mem-hook';

const textOf = ({ text }: TestAnswer) =>
  text === '' ? '' : (JSON.parse(text) as HookOutput).hookSpecificOutput.additionalContext;

/** The record lines of an injected text. */
export const recordsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| #'));

export async function openContextWorker(settings: Record<string, unknown> = {}): Promise<ContextWorker> {
  const worker = await startTestWorker({ settings: { CLAUDE_MEM_RECALL_ON_PROMPT: true, ...settings } });
  const { project } = worker.home;
  const context: ContextWorker = {
    worker,
    project,
    hook: (event, session, fields = {}) =>
      worker.hook(event, { session_id: session, cwd: project, ...fields }),
    contextOf: async (event, session, fields) => textOf(await context.hook(event, session, fields)),
    start: (session, source, more) => context.contextOf('SessionStart', session, { source, ...more }),
    async read(session, path, more) {
      const id = randomUUID();
      const payload = {
        session_id: session,
        cwd: project,
        tool_name: 'Read',
        tool_use_id: id,
        tool_input: { file_path: path },
        tool_response: {},
        ...more,
      };
      const body = `host: claude-code\nevent: FileRead\nevent-id: ${id}\n\n${JSON.stringify(payload)}`;
      return textOf(await worker.hook('FileRead', body, { 'content-type': HOOK_TYPE }));
    },
    async work(session, closing, file = 'src/cart.ts') {
      await context.hook('UserPromptSubmit', session, { prompt: 'Fix the voucher total of the cart' });
      await context.hook('PostToolUse', session, {
        tool_name: 'Edit',
        tool_use_id: `edit-${session}-${closing.length}`,
        tool_input: { file_path: join(project, file), old_string: 'a', new_string: closing.slice(0, 20) },
        tool_response: { filePath: join(project, file), success: true },
      });
      await context.hook('Stop', session, { last_assistant_message: closing });
      await worker.drained();
    },
    async poll(ask) {
      let text = '';
      await expect.poll(async () => (text = await ask())).not.toBe('');
      return text;
    },
    async preview(query) {
      const search = new URLSearchParams({ cwd: project, ...query });
      return (await worker.ask({ path: `/api/context?${search}` })).json as ContextPreview;
    },
    async post(path, body) {
      const headers = { [WORKER_TOKEN_HEADER]: readFileSync(worker.home.paths.tokenFile, 'utf8').trim() };
      const answer = await worker.ask({ method: 'POST', path, body, headers });
      expect(answer.status, answer.text).toBe(200);
      return answer;
    },
    async capturedEvents() {
      const { json } = await worker.ask({ path: '/api/health' });
      return (json as { capture: { events: number } }).capture.events;
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src', 'cart.ts'), 'export {};\n');
  await context.work(
    'before',
    'Vouchers were lost when the currency changed; the total applies them last now.',
  );
  // The first request opens the search, and may time out without a result.
  await context.preview({ file: 'src/cart.ts' });
  return context;
}

import path from 'node:path';
import {
  createTempHome,
  runProgram,
  stopWorker,
  waitUntilDrained,
  workspacePaths,
  writeSettings,
} from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScriptedModel, type ScriptedModel } from './scripted-model.js';
import { startClaude } from './start-claude.js';

/** Command of each real client by name. Without clients, the tests are skipped. */
const clients = Object.entries(
  JSON.parse(process.env['CLAUDE_MEM_CLIENTS'] ?? '{}') as Record<string, string>,
).map(([name, file]) => ({ name, command: file.endsWith('.js') ? [process.execPath, file] : [file] }));

if (clients.length === 0) {
  describe('context injection in real clients', () => it.skip('is tested only by npm run test:clients'));
}

describe.each(clients)('context injection in $name', { timeout: 240_000 }, ({ command }) => {
  /** Creates a home folder with the hooks and one stored session. */
  async function open(settings: Record<string, unknown>) {
    const home = await createTempHome();
    onTestFinished(() => home[Symbol.asyncDispose]());
    onTestFinished(() => stopWorker(home));
    await writeSettings(home, settings);
    const model = await createScriptedModel();
    onTestFinished(() => model[Symbol.asyncDispose]());
    const install = [workspacePaths.command, 'install', '--host', 'claude-code', '--hooks-only'];
    const installed = await runProgram(process.execPath, install, { cwd: home.project, env: home.env });
    expect(installed.exit, installed.stdout + installed.stderr).toBe(0);
    const start = () => {
      const args = ['--allowedTools', 'Write,Read,Agent,Task'];
      const session = startClaude({ command, home, modelUrl: model.url, args });
      onTestFinished(() => session[Symbol.asyncDispose]());
      return session;
    };
    const file = path.join(home.project, 'limit.ts');
    const first = start();
    for (const [name, closing] of Object.entries(WORK)) {
      const input = { file_path: path.join(home.project, name), content: `// ${name}\n` };
      model.script(`Work on ${name}`, [{ tools: [{ name: 'Write', input }] }, { text: closing }]);
      await first.send(`Work on ${name}`);
    }
    await first.end();
    await waitUntilDrained(home);
    return { model, start, read: { tools: [{ name: 'Read', input: { file_path: file } }] } };
  }

  it('injects the history of a file once in a session when the file is read', async () => {
    const { model, start, read } = await open({ CLAUDE_MEM_CONTEXT_ENABLED: false });
    model.script('Read it', [read, read, { text: 'Read.' }]);
    const session = start();
    await session.send('Read it');
    await session.end();
    expect(countOccurrences(model, 'claude-mem recorded about `limit.ts`')).toBe(1);
    expect(model.requests.at(-1)?.toolResults).toMatchObject([{ isError: false }, { isError: false }]);
  });

  it('omits the history of a file when the session received the record at its start', async () => {
    const { model, start, read } = await open({});
    model.script('Read it', [read, { text: 'Read.' }]);
    const session = start();
    await session.send('Read it');
    await session.end();
    expect(countOccurrences(model, 'recorded in earlier sessions of demo')).toBe(1);
    expect(countOccurrences(model, 'claude-mem recorded about `limit.ts`')).toBe(0);
  });

  it('injects matching records with a prompt, and nothing with an unrelated prompt', async () => {
    const { model, start } = await open({
      CLAUDE_MEM_CONTEXT_ENABLED: false,
      CLAUDE_MEM_RECALL_ON_PROMPT: true,
    });
    const session = start();
    await session.send('Write a haiku about the sea in winter');
    expect(countOccurrences(model, "From claude-mem's memory of demo")).toBe(0);
    await session.send('Why did uploads of the cart fail above the limit?');
    expect(countOccurrences(model, "From claude-mem's memory of demo")).toBe(1);
    await session.end();
  });
});

/** The work of the first session: files, and the closing message of each turn. */
const WORK = {
  'limit.ts': 'The upload limit is 10 now, since uploads of the cart failed above it.',
  'mail.ts': 'Mails are sent by a job of their own, so that an order does not wait for them.',
  'money.ts': 'Money is kept in whole cents, since floats made two invoices differ.',
  'export.ts': 'The export streams its rows: all of them did not fit into memory.',
};

const countOccurrences = (model: ScriptedModel, text: string) =>
  (model.requests.at(-1)?.all.split(text).length ?? 1) - 1;

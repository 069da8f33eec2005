import { stopWorker, waitUntilDrained } from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  BEFORE,
  claudeClients,
  countContexts,
  expectNothingLeft,
  observed,
  openClaudeScenario,
  readMemory,
  write,
} from './claude-scenario.js';

const clients = claudeClients('CLAUDE_MEM_PLUGIN_CLIENTS');
const recorded = claudeClients().map(({ name }) => name);
const waysIn = ['install', 'plugin'] as const;
/** Token count at which the client compacts the conversation. */
const FULL = { inputTokens: 990_000 };

if (clients.length === 0) {
  describe('compaction in real clients', () => it.skip('is tested only by npm run test:clients'));
}

const cases = clients.flatMap((client) => waysIn.map((setUp) => ({ ...client, client, setUp })));
describe.each(cases)('compaction in $name, set up by $setUp', { timeout: 240_000 }, ({ client, setUp }) => {
  async function open(scenario: string) {
    const isRecorded = setUp === 'install' && recorded.includes(client.name);
    const opened = await openClaudeScenario({ client, setUp, ...(isRecorded && { record: scenario }) });
    onTestFinished(() => stopWorker(opened.home));
    return opened;
  }

  it('keeps the session, and leaves the injected context exactly once in the conversation', async () => {
    const scenario = await open('compaction');
    const { home, model, start } = scenario;
    await scenario.recordEarlierSession();
    model.script('What is the limit?', [{ text: 'Ten.' }]);
    scenario.scriptWork('Raise the other limit', 'other.ts');
    const session = start();
    await session.send('What is the limit?');
    await session.send('/compact');
    await session.send('Raise the other limit');
    expect(model.requests.at(-1)?.all).toContain('A limit was raised.');
    expect(countContexts(model)).toBe(1);
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      sessions: [expect.anything(), [session.sessionId(), 'completed']],
      prompts: [BEFORE, 'What is the limit?', 'Raise the other limit'],
      ends: 5 + 2 + 5,
      notEnded: 0,
      left: 0,
    });
    await expectNothingLeft(home);
  });

  it('injects the work of the current turn when the client compacts automatically during the turn', async () => {
    const scenario = await open('compaction-by-itself');
    const { home, model, start, fileIn } = scenario;
    await scenario.recordEarlierSession();
    model.script('Raise the other limits', [
      { tools: [write(fileIn('tariff.ts'), 'export const tariff = 10;\n')] },
      { tools: [write(fileIn('duty.ts'), 'export const duty = 10;\n')], ...FULL },
    ]);
    model.scriptAfterCompaction([
      { tools: [write(fileIn('excise.ts'), 'export const excise = 10;\n')] },
      { text: 'Tariff, duty and excise are 10 now.' },
    ]);
    const session = start();
    expect(await session.send('Raise the other limits')).toContain('excise are 10 now');
    expect(model.requests.at(-1)?.all).toContain('A limit was raised.');
    expect(countContexts(model)).toBe(1);
    const [context = ''] = /<claude-mem-context>.*?<\/claude-mem-context>/.exec(
      model.requests.at(-1)?.all ?? '',
    ) ?? [''];
    expect(context).toContain('tariff.ts');
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      sessions: [expect.anything(), [session.sessionId(), 'completed']],
      prompts: [BEFORE, 'Raise the other limits'],
      ends: 5 + 6,
      notEnded: 0,
      left: 0,
    });
    const files = observed(home).flatMap((row) => JSON.parse(String(row['files_modified'])) as string[]);
    expect(files.sort()).toEqual(['before.ts', 'duty.ts', 'excise.ts', 'tariff.ts']);
    await expectNothingLeft(home);
  });
});

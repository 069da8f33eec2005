import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { waitUntilDrained } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import {
  bash,
  claudeClients,
  countContexts,
  expectNothingLeft,
  observed,
  openClaudeScenario,
  readMemory,
} from './claude-scenario.js';

const clients = claudeClients();
const hasTmux = isThere('tmux');
if (clients.length === 0 || !hasTmux) {
  const why = hasTmux ? 'is driven by npm run test:clients' : 'needs tmux';
  describe('claude-mem hooks in the terminal window of real clients', () => it.skip(why));
}

describe.each(hasTmux ? clients : [])(
  'claude-mem hooks in the terminal window of $name',
  { timeout: 240_000 },
  (client) => {
    const open = (record: string) => openClaudeScenario({ client, record });

    it('lose and duplicate no event when Escape interrupts a tool', async () => {
      const scenario = await open('escape');
      const { home, model, fileIn } = scenario;
      model.script('Wait for the server', [{ tools: [bash('touch waiting; sleep 300')] }]);
      scenario.scriptWork('Then raise the limit');
      const window = await scenario.openWindow();
      await window.type('Wait for the server');
      await expect.poll(() => existsSync(fileIn('waiting')), { timeout: 60_000 }).toBe(true);
      await window.press('Escape');
      await window.shows('Interrupted');
      await window.type('Then raise the limit');
      await window.shows('The limit is 10 now, in limit.ts.');
      await window.exit();
      await waitUntilDrained(home);
      expect(readMemory(home)).toMatchObject({
        sessions: [[expect.anything(), 'completed']],
        prompts: ['Wait for the server', 'Then raise the limit'],
        notEnded: 0,
        left: 0,
      });
      expect(observed(home)).toMatchObject([{ files_modified: '["limit.ts"]' }]);
      await expectNothingLeft(home);
    });

    it('inject the context again after /clear', async () => {
      const scenario = await open('clear');
      const { home, model } = scenario;
      scenario.scriptWork('Raise the limit of the cart');
      model.script('What is the limit?', [{ text: 'Ten.' }]);
      const window = await scenario.openWindow();
      await window.type('Raise the limit of the cart');
      await window.shows('The limit is 10 now, in limit.ts.');
      await waitUntilDrained(home);
      await window.type('/clear');
      await expect.poll(() => readMemory(home).sessions, { timeout: 30_000 }).toHaveLength(2);
      await window.type('What is the limit?');
      await window.shows('Ten.');
      expect(countContexts(model)).toBe(1);
      await window.exit();
      await waitUntilDrained(home);
      expect(readMemory(home)).toMatchObject({
        sessions: [
          [expect.anything(), 'completed'],
          [expect.anything(), 'completed'],
        ],
        prompts: ['Raise the limit of the cart', 'What is the limit?'],
        ends: 5 + 3,
        notEnded: 0,
        left: 0,
      });
      await expectNothingLeft(home);
    });
  },
);

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

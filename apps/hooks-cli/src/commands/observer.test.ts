import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '@claude-mem/settings';
import type { HealthDetail } from '@claude-mem/worker-protocol';
import type { CheckContext } from '../doctor/check.js';
import { observerCheck } from '../doctor/observer.js';
import { createTestHome, spend, type TestHome } from '../testing/run-inside.js';
import type { Status } from './status.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

const observerLines = async () => {
  const { stdout } = await home.run(['doctor']);
  const lines = stdout.split('\n');
  const at = lines.findIndex((line) => /^\w+ +observer /.test(line));
  return lines.slice(at, at + 2).map((line) => line.trim().replace(/ +/g, ' '));
};

describe('doctor check of the configured observer', () => {
  it('passes for the local observer, which needs no setup', async () => {
    expect((await observerLines())[0]).toBe('ok observer local (checked when the worker runs)');
  });

  it('names the command that sets the key when the key is missing', async () => {
    home.env['CLAUDE_MEM_PROVIDER'] = 'claude';
    expect(await observerLines()).toEqual([
      'fail observer claude has no key; events wait in the queue until this is fixed',
      '→ Run: claude-mem settings set CLAUDE_MEM_ANTHROPIC_API_KEY',
    ]);
    expect((await home.run(['doctor'])).exit).toBe(1);
  });

  it('is a warning when a fallback observer is set', async () => {
    home.env['CLAUDE_MEM_PROVIDER'] = 'claude';
    home.env['CLAUDE_MEM_PROVIDER_FALLBACK'] = 'local';
    expect((await observerLines())[0]).toBe('warn observer claude has no key');
  });

  it('reports that Claude Code and its package are missing', async () => {
    home.env['CLAUDE_MEM_PROVIDER'] = 'claude-code';
    home.env['CLAUDE_CODE_PATH'] = '/nowhere/claude';
    expect((await observerLines())[0]).toContain(
      'claude-code cannot run /nowhere/claude (CLAUDE_CODE_PATH); claude-code needs the package',
    );
  });
});

describe('doctor check of the running observer', () => {
  const problem = 'The observer gemini is paused, local is used instead: No credit.';
  const readObserverCheck = (problems: HealthDetail['problems'] | undefined) =>
    observerCheck.run({
      health: { ready: true, observer: { provider: 'local', problem }, problems, notices: [problem] },
      loaded: loadSettings({ env: {}, home: home.home }),
    } as unknown as CheckContext);
  const about = (code: string, action: string) =>
    ({ code, severity: 'warning', message: problem, action }) as const;

  it('suggests the action of the worker when the observer is paused', async () => {
    const others = about('queue-parked', 'Retry them.');
    for (const code of ['observer-held-back', 'budget-used-up'])
      expect(
        await readObserverCheck([others, about(code, 'Events are observed by local until then.')]),
      ).toEqual({
        state: 'warn',
        detail: problem,
        fix: 'Events are observed by local until then.',
      });
  });

  it('suggests a restart when the version of the worker returns no action', async () => {
    expect(await readObserverCheck(undefined)).toMatchObject({
      state: 'warn',
      fix: expect.stringContaining('claude-mem restart'),
    });
  });
});

describe('status of the observer', () => {
  const status = async () => JSON.parse((await home.run(['status', '--json'])).stdout) as Status;

  it('contains the configured observer and the cost of today', async () => {
    home.env['CLAUDE_MEM_PROVIDER'] = 'gemini';
    const usage = { inputTokens: 900, outputTokens: 100, cachedTokens: 0, estimatedCostUsd: 0.01 };
    const call = { session: 's', provider: 'gemini', model: 'm', at: Date.now(), usage };
    await spend(home.dataDir, [call]);
    const { observer, today } = await status();
    expect(observer).toEqual({ provider: 'gemini', model: null, state: 'away', problem: null });
    expect(today?.calls).toEqual({ spent: 1, limit: 500, left: 499 });
    const { stdout } = await home.run(['status']);
    expect(stdout).toMatch(/^observer +gemini$/m);
    expect(stdout).toMatch(/^today +1 of 500 calls \(499 left\), 1,000 of 2,000,000 tokens/m);
  });

  it.each(['worker.json', 'token', 'worker.sock.path', 'node.path'])(
    'reports that no worker runs when %s is a folder',
    async (name) => {
      mkdirSync(join(home.dataDir, name), { recursive: true });
      expect(await home.run(['status'])).toMatchObject({ exit: 3, stderr: '' });
      expect(await home.run(['stop'])).toMatchObject({ exit: 0, stdout: 'The worker is not running.\n' });
    },
  );

  it('contains no cost when the observer is free', async () => {
    expect((await home.run(['status'])).stdout).toMatch(/^observer +local\nqueue /m);
  });
});

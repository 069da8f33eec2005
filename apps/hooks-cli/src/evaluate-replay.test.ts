import { describe, expect, it } from 'vitest';
import { evaluateReplay, type PromptInSession } from './evaluate-replay.js';

const names = (...files: string[]) => ({ files, identifiers: [] });
/** An injection that names a file, in a turn that used a file. */
const injection = (at: number, named: string, used: string, part: Partial<PromptInSession> = {}) => ({
  promptId: at,
  sessionId: at,
  projectId: 1,
  createdAtEpoch: at,
  tokens: 100,
  named: names(named),
  turn: { used: names(used), usedFirst: names() },
  ...part,
});
const silent = (at: number) => injection(at, 'a.ts', 'a.ts', { tokens: 0, named: names() });

describe('evaluateReplay', () => {
  it('counts injections with a named file that was used', () => {
    expect(
      evaluateReplay([
        injection(1, 'a.ts', 'src/a.ts'),
        injection(2, 'b.ts', 'c.ts'),
        injection(3, 'c.ts', 'c.ts', { turn: { used: names('c.ts'), usedFirst: names('c.ts') } }),
        silent(4),
      ]),
    ).toMatchObject({
      prompts: 4,
      sessions: 4,
      injections: 3,
      silentPrompts: 1,
      unknownTurns: 0,
      usedAfterwards: { count: 2, of: 3 },
      usedFirstAfterwards: { count: 1, of: 3 },
    });
  });

  it('does not count an injection when the use in its turn is unknown', () => {
    expect(evaluateReplay([injection(1, 'a.ts', 'a.ts', { turn: null })])).toMatchObject({
      injections: 1,
      unknownTurns: 1,
      usedAfterwards: { count: 0, of: 0 },
    });
  });

  it('uses the latest earlier injection of another session in the project as the control', () => {
    const prompts = [
      injection(5, 'e.ts', 'b.ts'),
      injection(1, 'a.ts', 'a.ts'),
      injection(2, 'b.ts', 'a.ts', { sessionId: 1 }),
      injection(3, 'c.ts', 'b.ts'),
      injection(4, 'd.ts', 'd.ts', { projectId: 2 }),
    ];
    // 3 gets the injection of 2, 5 gets that of 3; the first of each project has no control
    expect(evaluateReplay(prompts).control.usedAfterwards).toEqual({ count: 1, of: 2 });
  });

  it('reports the mean and the 95th percentile of the tokens', () => {
    const prompts = Array.from({ length: 20 }, (_, at) =>
      injection(at + 1, 'a.ts', 'a.ts', { tokens: (at + 1) * 10 }),
    );
    expect(evaluateReplay(prompts).tokensPerInjection).toEqual({ mean: 105, p95: 190 });
    expect(evaluateReplay([silent(1)]).tokensPerInjection).toBeNull();
  });
});

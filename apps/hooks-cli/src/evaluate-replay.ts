import { findUsed, type Names } from '@claude-mem/core';
import type { ReplayedPrompt } from '@claude-mem/worker-protocol';

/** A prompt with the session and the project in which it was sent. */
export interface PromptInSession extends ReplayedPrompt {
  sessionId: number;
  projectId: number;
}

interface Share {
  count: number;
  of: number;
}

/** Counts of injections for past prompts, and of injections whose names the turns used. */
export interface Evaluation {
  prompts: number;
  sessions: number;
  injections: number;
  silentPrompts: number;
  tokensPerInjection: { mean: number; p95: number } | null;
  /** Injections that cannot be compared, because nothing is known about the work in their turn. */
  unknownTurns: number;
  /** Injections that name a file or identifier which the same turn used. */
  usedAfterwards: Share;
  /** The same for names that nothing in the session named before. */
  usedFirstAfterwards: Share;
  /** The same turns, each with the latest earlier injection of another session in the project. */
  control: { usedAfterwards: Share; usedFirstAfterwards: Share };
}

/** Counts injections and used names in replayed prompts. */
export function evaluateReplay(prompts: readonly PromptInSession[]): Evaluation {
  const injections = prompts
    .filter(({ tokens }) => tokens > 0)
    .toSorted((a, b) => a.createdAtEpoch - b.createdAtEpoch || a.promptId - b.promptId);
  const pairs = injections.map((prompt) => ({ prompt, named: prompt.named }));
  const controls = injections.flatMap((prompt, at) => {
    const other = injections.findLast(
      ({ projectId, sessionId }, otherAt) =>
        otherAt < at && projectId === prompt.projectId && sessionId !== prompt.sessionId,
    );
    return other === undefined ? [] : [{ prompt, named: other.named }];
  });
  const tokens = injections.map((prompt) => prompt.tokens).toSorted((a, b) => a - b);
  const total = tokens.reduce((sum, one) => sum + one, 0);
  return {
    prompts: prompts.length,
    sessions: new Set(prompts.map(({ sessionId }) => sessionId)).size,
    injections: injections.length,
    silentPrompts: prompts.length - injections.length,
    tokensPerInjection:
      tokens.length === 0
        ? null
        : { mean: Math.round(total / tokens.length), p95: tokens[Math.ceil(tokens.length * 0.95) - 1]! },
    unknownTurns: injections.filter(({ turn }) => turn === null).length,
    ...computeShares(pairs),
    control: computeShares(controls),
  };
}

function computeShares(pairs: readonly { prompt: PromptInSession; named: Names }[]): Evaluation['control'] {
  const known = pairs.flatMap(({ prompt: { turn }, named }) => (turn === null ? [] : [{ turn, named }]));
  const share = (part: 'used' | 'usedFirst'): Share => ({
    count: known.filter(({ turn, named }) => findUsed(named, turn[part]).length > 0).length,
    of: known.length,
  });
  return { usedAfterwards: share('used'), usedFirstAfterwards: share('usedFirst') };
}

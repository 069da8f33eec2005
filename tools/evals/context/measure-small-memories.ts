import { recall } from '@claude-mem/search';
import type { Samples } from '../../bench/samples.mjs';
import { openReplay } from './open-replay.js';
import { PROJECT, type RecordedQuery, type RecordedTurn } from './read-codemem.js';
import type { ForeignPrompts } from './read-foreign-prompts.js';

export interface MeasuredSmallMemories {
  /** Results of later prompts that were sent to memories with one relevant session. */
  onMatter: { given: number; asked: number };
  onAnotherMatter: { given: number; asked: number };
  foreign: { given: number; asked: number };
}

/** Only every third session is measured. */
const STEP = 3;
/** Number of prompts from each list of unrelated prompts. */
const FOREIGN_PROMPTS = 40;

/** Measures recall in memories of one session, like that of a new user on the second day. */
export async function measureSmallMemories({
  turns,
  queries,
  foreign,
  samples,
}: {
  turns: readonly RecordedTurn[];
  queries: readonly RecordedQuery[];
  foreign: readonly ForeignPrompts[];
  /** Counts and reports prompts that fail. */
  samples: Samples;
}): Promise<MeasuredSmallMemories> {
  const counts = {
    onMatter: { given: 0, asked: 0 },
    onAnotherMatter: { given: 0, asked: 0 },
    foreign: { given: 0, asked: 0 },
  };
  const foreignPrompts = foreign.flatMap(({ prompts }) => someOf(prompts, FOREIGN_PROMPTS));
  const sessions = [...new Set(turns.map(({ session }) => session))].filter((_, index) => index % STEP === 0);
  for (const session of sessions) {
    const own = turns.filter((turn) => turn.session === session);
    await using replay = await openReplay(own);
    await replay.advanceTo(Infinity);
    const count = (kind: keyof typeof counts, prompt: string) =>
      samples.add(async () => {
        const { hits } = await recall(replay.memory, { prompt, project: PROJECT.key });
        counts[kind].asked += 1;
        if (hits.length > 0) counts[kind].given += 1;
      });
    const end = Math.max(...own.map(({ endedAt }) => endedAt));
    for (const { text, relevant } of queries.filter(({ at }) => at > end))
      await count(relevant.has(session) ? 'onMatter' : 'onAnotherMatter', text);
    for (const text of foreignPrompts) await count('foreign', text);
  }
  return counts;
}

function someOf(texts: readonly string[], most: number): string[] {
  const step = Math.max(1, Math.floor(texts.length / most));
  return texts.filter((_, index) => index % step === 0);
}

import type { Observation, Summary, UserPrompt } from '@claude-mem/core';
import type { FeedItem } from '@claude-mem/worker-protocol';

/** What was asked, what was learned from it, and what it came to; 0 is what came before the first prompt. */
export interface Turn {
  number: number;
  prompt: UserPrompt | null;
  observations: readonly (FeedItem & { item: Observation })[];
  summaries: readonly (FeedItem & { item: Summary })[];
}

/** Records of one session by turn, in order; the observer may be late, so what belongs together need not come together. */
export function turnsOf(records: readonly FeedItem[]): Turn[] {
  const turns = new Map<number, { -readonly [Key in keyof Turn]: Mutable<Turn[Key]> }>();
  for (const record of records) {
    const { promptNumber: number } = record.item;
    const turn = turns.get(number) ?? { number, prompt: null, observations: [], summaries: [] };
    turns.set(number, turn);
    if (record.kind === 'prompt') turn.prompt = record.item;
    else if (record.kind === 'observation') turn.observations.push(record);
    else turn.summaries.push(record);
  }
  return [...turns.values()].sort((a, b) => a.number - b.number);
}

type Mutable<List> = List extends readonly (infer Item)[] ? Item[] : List;

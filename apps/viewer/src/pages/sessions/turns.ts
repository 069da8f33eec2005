import type { Observation, Summary, UserPrompt } from '@claude-mem/core';
import type { FeedItem } from '@claude-mem/worker-protocol';
import type { Order } from './session-query.js';

/** A turn with its records. Number 0 contains the records before the first prompt. */
export interface Turn {
  number: number;
  prompt: UserPrompt | null;
  observations: readonly (FeedItem & { item: Observation })[];
  summaries: readonly (FeedItem & { item: Summary })[];
}

/**
 * Groups the records of a session by turn. Records of a turn need not be adjacent, because the observer can be late.
 * Within a turn, the oldest record is always first.
 */
export function turnsOf(records: readonly FeedItem[], order: Order): Turn[] {
  const turns = new Map<number, { -readonly [Key in keyof Turn]: Mutable<Turn[Key]> }>();
  for (const record of order === 'newest' ? records.toReversed() : records) {
    const { promptNumber: number } = record.item;
    const turn = turns.get(number) ?? { number, prompt: null, observations: [], summaries: [] };
    turns.set(number, turn);
    if (record.kind === 'prompt') turn.prompt = record.item;
    else if (record.kind === 'observation') turn.observations.push(record);
    else turn.summaries.push(record);
  }
  const sign = order === 'newest' ? -1 : 1;
  return [...turns.values()].sort((a, b) => sign * (a.number - b.number));
}

type Mutable<List> = List extends readonly (infer Item)[] ? Item[] : List;

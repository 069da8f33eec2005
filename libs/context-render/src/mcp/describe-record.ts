import { estimateTokens, formatSavedBy, removeSavedBy, type Summary } from '@claude-mem/core';
import { quoteLineForAgent } from '@claude-mem/privacy';
import { freshnessLabel, readingCost, titleOf } from '../index-line.js';
import { CODE_EMOJIS, emojiOf } from '../type-emojis.js';
import type { PastRecord } from './past-record.js';

/** What a line or row about a record is made of; `title` is one line, quoted and not cut. */
export interface RecordDescription {
  /** As every tool takes it: `#12`, `S12` a summary's, `P12` a prompt's, `session 12`. */
  ref: string;
  type: string;
  /** Emoji of the type, the origin, and what became of the files. */
  mark: string;
  /** Origin of a saved record, or ''. */
  origin: string;
  /** What became of its files, or ''. */
  freshness: string;
  title: string;
  /** What reading it all costs in tokens. */
  tokens: number;
  createdAtEpoch: number;
}

const LONGEST_READ = 2_000;

export function describeRecord(record: PastRecord): RecordDescription {
  switch (record.kind) {
    case 'observation': {
      const { item } = record;
      const origin = formatSavedBy(item.source);
      const freshness = freshnessLabel(item);
      const emoji = emojiOf(item.type, CODE_EMOJIS);
      const marks = [origin, freshness].filter((mark) => mark !== '').join(', ');
      return {
        ref: `#${item.id}`,
        type: oneLine(item.type.slice(0, 40)),
        mark: marks === '' ? emoji : `${emoji} (${marks})`,
        origin,
        freshness,
        title: oneLine(titleOf(item)),
        tokens: readingCost(item),
        createdAtEpoch: item.createdAtEpoch,
      };
    }
    case 'summary': {
      const { item } = record;
      return {
        ref: `S${item.id}`,
        type: 'summary',
        mark: '🧾',
        origin: '',
        freshness: '',
        title: oneLine(headOf(item)),
        tokens: costOf(item),
        createdAtEpoch: item.createdAtEpoch,
      };
    }
    case 'prompt': {
      const { item } = record;
      return {
        ref: `P${item.id}`,
        type: 'prompt',
        mark: '👤',
        origin: '',
        freshness: '',
        title: oneLine(item.promptText),
        tokens: estimateTokens(item.promptText),
        createdAtEpoch: item.createdAtEpoch,
      };
    }
    case 'session': {
      const { item } = record;
      const title = item.title ?? (item.summary && headOf(item.summary)) ?? item.userPrompt ?? '';
      return {
        ref: `session ${item.id}`,
        type: 'session',
        mark: '💬',
        origin: '',
        freshness: '',
        title: oneLine(title),
        tokens: item.summary ? costOf(item.summary) : estimateTokens(title),
        createdAtEpoch: item.createdAtEpoch,
      };
    }
  }
}

const oneLine = (text: string) => removeSavedBy(quoteLineForAgent(text.slice(0, LONGEST_READ))) || 'untitled';

const headOf = ({ request, completed, learned, investigated, nextSteps, notes }: Summary) =>
  [request, completed, learned, investigated, nextSteps, notes].find((text) => text?.trim()) ?? '';

function costOf({ request, completed, learned, investigated, nextSteps, notes }: Summary): number {
  return [request, completed, learned, investigated, nextSteps, notes].reduce(
    (sum, text) => sum + estimateTokens(text ?? ''),
    0,
  );
}

import { estimateTokens, formatSavedBy, removeSavedBy, type Summary } from '@claude-mem/core';
import { quoteLineForAgent } from '@claude-mem/privacy';
import { freshnessLabel, countRecordTokens, formatTitle } from '../index-line.js';
import { CODE_EMOJIS, findEmoji } from '../type-emojis.js';
import type { PastRecord } from './past-record.js';

/** Parts of a line about a record. `title` is one quoted line of any length. */
export interface RecordDescription {
  /** Id that all tools accept: `#12`, `S12` (summary), `P12` (prompt), `session 12`. */
  ref: string;
  type: string;
  /** Emoji of the type, origin and freshness. */
  mark: string;
  /** Origin of a saved record, or ''. */
  origin: string;
  /** Freshness of the files, or ''. */
  freshness: string;
  title: string;
  /** Estimated tokens of the complete record. */
  tokens: number;
  createdAtEpoch: number;
}

const MAX_READ_LENGTH = 2_000;

export function describeRecord(record: PastRecord): RecordDescription {
  switch (record.kind) {
    case 'observation': {
      const { item } = record;
      const origin = formatSavedBy(item.source);
      const freshness = freshnessLabel(item);
      const emoji = findEmoji(item.type, CODE_EMOJIS);
      const marks = [origin, freshness].filter((mark) => mark !== '').join(', ');
      return {
        ref: `#${item.id}`,
        type: oneLine(item.type.slice(0, 40)),
        mark: marks === '' ? emoji : `${emoji} (${marks})`,
        origin,
        freshness,
        title: oneLine(formatTitle(item)),
        tokens: countRecordTokens(item),
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
        title: oneLine(findFirstText(item)),
        tokens: countSummaryTokens(item),
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
      const title = item.title ?? (item.summary && findFirstText(item.summary)) ?? item.userPrompt ?? '';
      return {
        ref: `session ${item.id}`,
        type: 'session',
        mark: '💬',
        origin: '',
        freshness: '',
        title: oneLine(title),
        tokens: item.summary ? countSummaryTokens(item.summary) : estimateTokens(title),
        createdAtEpoch: item.createdAtEpoch,
      };
    }
  }
}

const oneLine = (text: string) =>
  removeSavedBy(quoteLineForAgent(text.slice(0, MAX_READ_LENGTH))) || 'untitled';

const findFirstText = ({ request, completed, learned, investigated, nextSteps, notes }: Summary) =>
  [request, completed, learned, investigated, nextSteps, notes].find((text) => text?.trim()) ?? '';

function countSummaryTokens({
  request,
  completed,
  learned,
  investigated,
  nextSteps,
  notes,
}: Summary): number {
  return [request, completed, learned, investigated, nextSteps, notes].reduce(
    (sum, text) => sum + estimateTokens(text ?? ''),
    0,
  );
}

import { estimateTokens, isSavedByAgent, MAX_AGENT_RECORDS_BESIDE, type Observation } from '@claude-mem/core';
import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';
import { createBudget } from './budget.js';
import { detailLine, indexLine, formatTitle } from './index-line.js';
import { pastDataBlock } from './past-data-block.js';
import { NO_ROOM, type SkippedRecord } from './rank-observations.js';
import { readableClock } from './readable-clock.js';
import type { SessionContext } from './render-session-context.js';
import { CODE_EMOJIS, type TypeEmojis } from './type-emojis.js';

export interface RecordListOptions {
  /** Most valuable first. Records at the end are skipped when the budget is used up. */
  observations: readonly Observation[];
  /** Epoch milliseconds. */
  now: number;
  /** IANA name. @default 'UTC' */
  timeZone?: string;
  maxTokens: number;
  maxRecords: number;
  /** Emojis by record type. @default emojis for software development */
  emojis?: TypeEmojis;
  /** Lines above the records. They are shown even when no record is. @default none */
  lead?: readonly string[];
  /** Whether the lead contains the id of a record. @default false */
  isRecordInLead?: boolean;
  /** Last line: how to read the complete record of an id. Omitted when the text has no id. */
  howToReadMore?: string;
}

const MAX_CHARS = 4_000;
const TOO_MANY_BY_AGENTS = `only ${MAX_AGENT_RECORDS_BESIDE} records that agents saved are shown`;

/** Renders a few records as a labelled block, one line each. The text is empty when no record can be shown. */
export function renderRecordList(
  title: string,
  order: (a: Observation, b: Observation) => number,
  options: RecordListOptions,
): SessionContext {
  const { emojis = CODE_EMOJIS, lead = [], maxTokens, maxRecords } = options;
  const clock = readableClock(options.timeZone ?? 'UTC', options.now);
  const label = `${title} Dates: ${clock.zone}.`;
  const lastLines =
    options.howToReadMore === undefined
      ? []
      : [truncateQuoted(quoteLineForAgent(options.howToReadMore), 300)];
  const budget = createBudget({ maxTokens, maxChars: MAX_CHARS });
  const hasRoom = budget.take(`${pastDataBlock(label, [...lead, ...lastLines])}\n`);
  const skipped: SkippedRecord[] = [];
  const lines = new Map<Observation, string>();
  const ids = new Set<number>();
  let byAgents = 0;
  for (const observation of options.observations) {
    const { id, createdAtEpoch } = observation;
    if (ids.has(id)) continue;
    ids.add(id);
    const line = indexLine(observation, clock.day(createdAtEpoch), emojis);
    const reason =
      findSkipReason(observation) ??
      (lines.size >= maxRecords ? `only ${maxRecords} are shown` : null) ??
      (isSavedByAgent(observation) && byAgents >= MAX_AGENT_RECORDS_BESIDE ? TOO_MANY_BY_AGENTS : null);
    if (reason !== null) skipped.push({ id, reason });
    else if (!hasRoom || !budget.take(`${line}\n`)) skipped.push({ id, reason: NO_ROOM });
    else {
      lines.set(observation, line);
      byAgents += Number(isSavedByAgent(observation));
    }
  }
  if (lines.size === 0 && lead.length === 0) return { text: '', shown: [], skipped, tokens: 0 };

  const shown = [...lines.keys()].sort(order);
  const rows = shown.flatMap((observation) => {
    const detail = detailLine(observation);
    const isDetailShown = detail !== null && budget.take(`${detail}\n`);
    return [lines.get(observation) ?? '', ...(isDetailShown ? [detail] : [])];
  });
  const hasId = lines.size > 0 || options.isRecordInLead === true;
  const text = pastDataBlock(label, [...lead, ...rows, ...(hasId ? lastLines : [])]);
  return { text, shown: shown.map(({ id }) => id), skipped, tokens: estimateTokens(text) };
}

function findSkipReason(observation: Observation): string | null {
  if (observation.supersededBy !== null) return `superseded by #${observation.supersededBy}`;
  return formatTitle(observation) === '' ? 'no text' : null;
}

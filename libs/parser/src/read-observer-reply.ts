import {
  toSingleLine,
  toStorableText,
  truncate,
  wholeSlice,
  type ObservationDraft,
  type SummaryDraft,
} from '@claude-mem/core';
import { LIMITS } from './limits.js';
import { decodeMarkup } from './markup.js';
import type { ParseIssue } from './parse-issue.js';
import { readObservation } from './read-observation.js';
import { readSummary } from './read-summary.js';
import type { Report } from './read-values.js';
import { splitBlocks } from './split-blocks.js';

export interface ReadReply {
  observations: ObservationDraft[];
  summary: SummaryDraft | null;
  /** Why there is no summary, when the observer said so; may be empty. */
  skippedSummary: string | null;
  issues: ParseIssue[];
}

/**
 * Reads what an observer wrote, in whatever state it is. Never throws and takes time linear in the text; every text it gives
 * stands in the reply. A reply without records and without the issue `no-records` means: nothing to record.
 */
export function readObserverReply(text: string, { types }: { types: readonly string[] }): ReadReply {
  const reply: ReadReply = { observations: [], summary: null, skippedSummary: null, issues: [] };
  const report: Report = (code, message, offset) => reply.issues.push({ code, message, offset });
  if (text.length > LIMITS.reply) report('too-long', 'The reply was cut.', LIMITS.reply);
  const bounded = wholeSlice(text, 0, Math.min(text.length, LIMITS.reply));
  const blocks = splitBlocks(bounded);

  for (const block of blocks) {
    if (block.name === 'observation') {
      if (reply.observations.length >= LIMITS.observations) {
        report('too-many', 'The reply holds too many observations.', block.offset);
        break;
      }
      const observation = readObservation(block, types, report);
      if (observation) reply.observations.push(observation);
    } else if (block.name === 'summary') {
      const summary = readSummary(block, report);
      if (summary && reply.summary) report('too-many', 'The reply holds another summary.', block.offset);
      reply.summary ??= summary;
    } else {
      const attribute = /\breason\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(block.attributes);
      const reason = decodeMarkup(attribute?.[1] ?? attribute?.[2] ?? '') || block.prose;
      reply.skippedSummary ??= truncate(toSingleLine(toStorableText(reason)), LIMITS.subtitle);
    }
  }
  if (reply.summary) reply.skippedSummary = null;
  if (blocks.length === 0 && !isNothing(bounded))
    report('no-records', 'The reply is neither empty nor in the format.', 0);
  return reply;
}

/** Empty, or a short sentence that says that there is nothing. */
function isNothing(text: string): boolean {
  const line = toSingleLine(text.slice(0, 1_000).replace(/```\w*/g, ''));
  if (line === '') return text.length <= 1_000;
  if (line.length > 300) return false;
  if (/\b(?:error|invalid|fail\w*|limit\w*|quota|log ?in|key|token|too long|exceed\w*|denied)\b/i.test(line))
    return false;
  return (
    /^.{0,40}\b(?:no|nothing|none)\b.{0,60}\b(?:observ|record|remember|stor|report|not[ei]|worth|keep|learned|new)/i.test(
      line,
    ) || /^\W*(?:none|nothing|n\/?a|empty|skip(?:ped)?|ok(?:ay)?)\W*$/i.test(line)
  );
}

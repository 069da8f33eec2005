import {
  toSingleLine,
  toStorableText,
  truncate,
  sliceCharacters,
  type ObservationDraft,
  type SummaryDraft,
} from '@claude-mem/core';
import type { Block } from './block.js';
import { LIMITS } from './limits.js';
import { getBlockName, findTags } from './find-tags.js';
import type { ObserverMode } from './observer-mode.js';
import type { ParseIssue } from './parse-issue.js';
import { readObservation } from './read-observation.js';
import { readSummary } from './read-summary.js';
import type { Report } from './read-values.js';
import { splitJson } from './split-json.js';
import { splitMarkdown } from './split-markdown.js';
import { splitXml } from './split-xml.js';

export interface ReadReply {
  observations: ObservationDraft[];
  summary: SummaryDraft | null;
  /** The reason why the observer skipped the summary, possibly empty. Null when it did not skip the summary. */
  skippedSummary: string | null;
  issues: ParseIssue[];
}

/**
 * Parses the reply of an observer, also when the reply is malformed.
 * Never throws, and takes linear time. Every returned text occurs in the reply. A reply without records and without the
 * issue `no-records` means that there is nothing to record.
 */
export function readObserverReply(text: string, mode: ObserverMode): ReadReply {
  const reply: ReadReply = { observations: [], summary: null, skippedSummary: null, issues: [] };
  const report: Report = (code, message, offset) => {
    if (reply.issues.length < LIMITS.issues) reply.issues.push({ code, message, offset });
  };
  if (text.length > LIMITS.reply)
    report('too-long', 'The reply is too long and was truncated.', LIMITS.reply);
  const limitedText = sliceCharacters(text, 0, Math.min(text.length, LIMITS.reply));
  const blocks = splitReply(limitedText, report);
  if (blocks === null && !reportsNothing(limitedText))
    report('no-records', 'The reply is not empty and contains no record.', 0);

  for (const block of blocks ?? []) {
    if (block.name === 'observation') {
      if (reply.observations.length >= LIMITS.observations) {
        report(
          'too-many',
          'The reply contains too many observations. The others were skipped.',
          block.offset,
        );
        break;
      }
      const observation = readObservation(block, mode, report);
      if (observation) reply.observations.push(observation);
    } else if (block.name === 'summary') {
      const summary = readSummary(block, mode, report);
      if (summary && reply.summary)
        report('too-many', 'The reply contains more than one summary. Only the first is used.', block.offset);
      reply.summary ??= summary;
    } else {
      const reason = block.fields.find(({ name }) => name === 'reason')?.text ?? block.prose;
      reply.skippedSummary ??= truncate(toSingleLine(toStorableText(reason)), LIMITS.subtitle);
    }
  }
  if (reply.summary) reply.skippedSummary = null;
  return reply;
}

/** Splits XML, or else JSON or Markdown. Returns null when the reply contains no record in any format. */
function splitReply(text: string, report: Report): readonly Block[] | null {
  const tags = findTags(text);
  const blocks = splitXml(text, tags);
  if (blocks.length > 0) return blocks;
  const thought = tags.findLast((tag) => getBlockName(tag) === 'think' && tag.kind === 'close');
  const start = thought?.end ?? 0;
  const found = splitJson(text, start, report);
  if (found !== null) return found;
  const labelled = splitMarkdown(text, start);
  return labelled.length > 0 ? labelled : null;
}

/** Returns true for an empty reply or a short sentence that states that there is nothing to record. */
function reportsNothing(text: string): boolean {
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

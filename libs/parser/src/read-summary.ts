import { truncate, type SummaryDraft } from '@claude-mem/core';
import type { Block } from './block.js';
import { isExampleSummary } from './is-example.js';
import { LIMITS } from './limits.js';
import type { ObserverMode } from './observer-mode.js';
import { isCutInField, cleanProse } from './read-observation.js';
import { readFiles, readParagraphs, type Report } from './read-values.js';

/** Reads the summary of a block. Returns null and reports an issue when the block contains none. */
export function readSummary(block: Block, mode: ObserverMode, report: Report): SummaryDraft | null {
  const isCut = block.end !== 'closed';
  const fields = block.end === 'next' && isCutInField(block) ? block.fields.slice(0, -1) : block.fields;
  const text = (name: string) => {
    for (const field of fields) {
      const value = field.name === name ? readParagraphs(field, LIMITS.summaryField, report) : null;
      if (value !== null) return value;
    }
    return null;
  };
  const files = (...names: string[]) => [
    ...new Set(
      fields.filter(({ name }) => names.includes(name)).flatMap((field) => readFiles(field, report)),
    ),
  ];
  const draft: SummaryDraft = {
    request: text('request'),
    investigated: text('investigated'),
    learned: text('learned'),
    completed: text('completed'),
    nextSteps: text('nextsteps'),
    notes: text('notes'),
    filesRead: files('filesread'),
    filesEdited: files('filesedited', 'filesmodified'),
  };
  const isEmpty = Object.values(draft).every((value) => typeof value !== 'string');
  if (isCut) report(isEmpty ? 'cut-off' : 'missing-end', 'The summary has no end tag.', block.offset);
  if (isEmpty) {
    const prose = isCut ? '' : cleanProse(block.prose);
    if (prose === '') {
      if (!isCut) report('empty-block', 'The summary has no content and was skipped.', block.offset);
      return null;
    }
    report('prose-block', 'The summary has no fields. Its text is used as the notes.', block.offset);
    return { ...draft, notes: truncate(prose, LIMITS.summaryField) };
  }
  if (!isExampleSummary(draft, mode)) return draft;
  report('template-echo', 'The summary repeats an example of the prompt and was skipped.', block.offset);
  return null;
}

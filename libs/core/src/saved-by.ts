import type { ObservationSource } from './observation.js';

const MARKS: Partial<Record<ObservationSource, string>> = {
  manual: 'saved by hand',
  agent: 'saved by an agent',
};
const WRITTEN_MARK = /[\p{Ps}\p{Pi}<]\s*saved\s+by\s+(?:hand|an\s+agent)\s*[\p{Pe}\p{Pf}>]/giu;

/** The mark of a record that somebody chose to save; '' for any other record. */
export function formatSavedBy(source: ObservationSource): string {
  return MARKS[source] ?? '';
}

/** S06: replaces marks of origin in a stored text with `…`, because a reader would take them for ours. */
export function removeSavedBy(text: string): string {
  return text.replace(WRITTEN_MARK, '…');
}

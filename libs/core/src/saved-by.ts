import type { ObservationSource } from './observation.js';

const MARKS: Partial<Record<ObservationSource, string>> = {
  manual: 'saved manually',
  agent: 'saved by an agent',
};
/** Current marks, and the mark `saved by hand` of earlier versions. */
const WRITTEN_MARK = /[\p{Ps}\p{Pi}<]\s*saved\s+(?:manually|by\s+hand|by\s+an\s+agent)\s*[\p{Pe}\p{Pf}>]/giu;

/** Formats the origin of a record that a person or an agent saved. Returns '' for any other record. */
export function formatSavedBy(source: ObservationSource): string {
  return MARKS[source] ?? '';
}

/** S06: replaces origin marks in a stored text with `…`. A forged mark would be read as a mark of claude-mem. */
export function removeSavedBy(text: string): string {
  return text.replace(WRITTEN_MARK, '…');
}

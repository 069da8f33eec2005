/** One record of a reply as it was found, whatever form it came in: XML, JSON or Markdown. */
export interface Block {
  name: 'observation' | 'summary' | 'skipsummary';
  offset: number;
  fields: readonly Field[];
  /** What stands in the block outside of its fields, decoded. */
  prose: string;
  /** `closed` by its own end, or where the `next` block or the `text` ends it. */
  end: 'closed' | 'next' | 'text';
}

export interface Field {
  /** Lower case, without `-` and `_`. */
  name: string;
  /** Decoded. */
  text: string;
  /** Its own elements, decoded; null where it is but text. */
  items: readonly Item[] | null;
  offset: number;
  isEnded: boolean;
}

/** One element of a list. */
export interface Item {
  text: string;
  /** The attribute `origin`; null without it. */
  origin: string | null;
}

/** Lower case, without spaces, `-` and `_`: `next_steps`, `next-steps` and `nextSteps` are one. */
export const plainName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

export const OBSERVATION_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'subtitle',
  'narrative',
  'description',
  'facts',
  'concepts',
  'filesread',
  'filesmodified',
  'filesedited',
]);

export const SUMMARY_FIELDS: ReadonlySet<string> = new Set([
  'request',
  'investigated',
  'learned',
  'completed',
  'nextsteps',
  'notes',
  'filesread',
  'filesedited',
  'filesmodified',
]);

/** Fields that hold items. */
export const isListField = (name: string) =>
  name === 'facts' || name === 'concepts' || name.startsWith('files');

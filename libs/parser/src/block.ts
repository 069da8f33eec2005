/** One record of a reply, independent of its format (XML, JSON or Markdown). */
export interface Block {
  name: 'observation' | 'summary' | 'skipsummary';
  offset: number;
  fields: readonly Field[];
  /** Decoded text of the block outside its fields. */
  prose: string;
  /** `closed` by its own end tag, or ended by the `next` block or by the end of the `text`. */
  end: 'closed' | 'next' | 'text';
}

export interface Field {
  /** Field name in lower case, without `-` and `_`. */
  name: string;
  /** Decoded text of the field. */
  text: string;
  /** Decoded elements of the field, or null for plain text. */
  items: readonly Item[] | null;
  offset: number;
  isEnded: boolean;
}

/** One element of a list. */
export interface Item {
  text: string;
  /** The attribute `origin`, or null. */
  origin: string | null;
}

/**
 * Normalizes a field name to lower case without spaces, `-` and `_`: `next_steps`, `next-steps` and `nextSteps` are
 * equal.
 */
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

/** Returns true for fields that contain items. */
export const isListField = (name: string) =>
  name === 'facts' || name === 'concepts' || name.startsWith('files');

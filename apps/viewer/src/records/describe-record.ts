import { formatFact, removeOriginLabels, type HostName } from '@claude-mem/core';
import type { TimelineItem } from '@claude-mem/worker-protocol';

/** A record in a feed, a timeline or a search result. Not all of these contain the host. */
export type RecordEntry = TimelineItem & { host?: HostName };

/** Texts of a record for display. */
export interface RecordText {
  /** Citation: `#12`, `S12`, `P12`. */
  id: string;
  /** Type of an observation, or the kind of another record. */
  type: string;
  title: string;
  text: string;
  /** Changed files, then read files, without duplicates. */
  files: readonly string[];
}

export function describeRecord({ kind, item }: RecordEntry): RecordText {
  return READERS[kind](item as never);
}

/** Returns a key that is unique among all kinds of records. */
export const recordKey = ({ kind, item }: RecordEntry) => `${kind}-${item.id}`;

type ItemOf<Kind extends TimelineItem['kind']> = Extract<TimelineItem, { kind: Kind }>['item'];

const READERS: Record<TimelineItem['kind'], (item: never) => RecordText> = {
  observation({
    id,
    type,
    title,
    subtitle,
    narrative,
    facts,
    filesModified,
    filesRead,
  }: ItemOf<'observation'>) {
    const [first = `Observation #${id}`, ...rest] = [
      ...nonEmpty([title]),
      ...nonEmpty([subtitle, narrative]).map(removeOriginLabels),
      ...facts.filter(({ text }) => text.trim() !== '').map(formatFact),
    ];
    return {
      id: `#${id}`,
      type,
      title: first,
      text: rest.join(' · '),
      files: each(filesModified, filesRead),
    };
  },
  summary({
    id,
    request,
    completed,
    learned,
    investigated,
    notes,
    nextSteps,
    filesEdited,
    filesRead,
  }: ItemOf<'summary'>) {
    const next = nextSteps === null ? null : `Next: ${nextSteps}`;
    const [first = `Summary S${id}`, ...rest] = nonEmpty([
      request,
      completed,
      learned,
      investigated,
      notes,
      next,
    ]);
    return {
      id: `S${id}`,
      type: 'summary',
      title: first,
      text: rest.join(' · '),
      files: each(filesEdited, filesRead),
    };
  },
  prompt({ id, promptText }: ItemOf<'prompt'>) {
    const text = promptText.trim();
    const end = text.search(/\n/);
    const title = end === -1 ? text : text.slice(0, end).trimEnd();
    return {
      id: `P${id}`,
      type: 'prompt',
      title: title === '' ? `Prompt P${id}` : title,
      text: end === -1 ? '' : text.slice(end).trim(),
      files: [],
    };
  },
};

const nonEmpty = (texts: readonly (string | null)[]) =>
  texts.filter((text): text is string => text !== null && text.trim() !== '');
const each = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];

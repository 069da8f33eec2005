import {
  OBSERVATION_LIST_LIMITS as LISTS,
  OBSERVATION_TEXT_LIMITS as TEXTS,
  type Observation,
  type ObservationDraft,
  type ObservationInput,
} from '@claude-mem/core';

/** An observation as texts for editing. A list has one entry per line. */
export type EditForm = Record<keyof ObservationDraft, string>;

interface TextField {
  label: string;
  limit: number;
}

interface ListField {
  label: string;
  /** Maximum characters of one entry. */
  limit: number;
  maxEntries: number;
}

export const TEXT_FIELDS = {
  type: { label: 'Type', limit: TEXTS.type },
  title: { label: 'Title', limit: TEXTS.title },
  subtitle: { label: 'Subtitle', limit: TEXTS.subtitle },
  narrative: { label: 'Narrative', limit: TEXTS.narrative },
} as const satisfies Partial<Record<keyof ObservationDraft, TextField>>;

export const LIST_FIELDS = {
  facts: { label: 'Facts', limit: TEXTS.fact, maxEntries: LISTS.facts },
  concepts: { label: 'Concepts', limit: TEXTS.concept, maxEntries: LISTS.concepts },
  filesModified: { label: 'Files changed', limit: TEXTS.file, maxEntries: LISTS.files },
  filesRead: { label: 'Files read', limit: TEXTS.file, maxEntries: LISTS.files },
} as const satisfies Partial<Record<keyof ObservationDraft, ListField>>;

type TextName = keyof typeof TEXT_FIELDS;
type ListName = keyof typeof LIST_FIELDS;
export type FieldName = TextName | ListName;

const TEXT_NAMES = Object.keys(TEXT_FIELDS) as TextName[];
const LIST_NAMES = Object.keys(LIST_FIELDS) as ListName[];
const FIELD_NAMES: readonly FieldName[] = [...TEXT_NAMES, ...LIST_NAMES];

export function toForm(observation: ObservationDraft): EditForm {
  return {
    type: observation.type,
    title: observation.title ?? '',
    subtitle: observation.subtitle ?? '',
    narrative: observation.narrative ?? '',
    facts: toLines(observation.facts.map(({ text }) => text)),
    concepts: toLines(observation.concepts),
    filesModified: toLines(observation.filesModified),
    filesRead: toLines(observation.filesRead),
  };
}

/** Returns only the changed fields, so that other fields are not overwritten. */
export function changesOf(before: ObservationDraft, form: EditForm): Partial<ObservationInput> {
  const changed = new Set(changedFields(toForm(before), form));
  return {
    ...(changed.has('type') ? { type: form.type.trim() } : {}),
    ...(changed.has('title') ? { title: textOf(form.title) } : {}),
    ...(changed.has('subtitle') ? { subtitle: textOf(form.subtitle) } : {}),
    ...(changed.has('narrative') ? { narrative: textOf(form.narrative) } : {}),
    ...(changed.has('facts') ? { facts: linesOf(form.facts) } : {}),
    ...(changed.has('concepts') ? { concepts: linesOf(form.concepts) } : {}),
    ...(changed.has('filesModified') ? { filesModified: linesOf(form.filesModified) } : {}),
    ...(changed.has('filesRead') ? { filesRead: linesOf(form.filesRead) } : {}),
  };
}

/** Returns the problems that prevent saving, by field. */
export function problemsOf(form: EditForm): Partial<Record<FieldName, string>> {
  const problems: Partial<Record<FieldName, string>> = {};
  for (const name of TEXT_NAMES) {
    const { label, limit } = TEXT_FIELDS[name];
    const over = form[name].trim().length - limit;
    if (over > 0)
      problems[name] =
        `${label}: ${over} ${over === 1 ? 'character' : 'characters'} too long (maximum ${limit}).`;
  }
  for (const name of LIST_NAMES) {
    const { label, limit, maxEntries } = LIST_FIELDS[name];
    const lines = linesOf(form[name]);
    const long = lines.findIndex((line) => line.length > limit);
    if (lines.length > maxEntries)
      problems[name] = `${label}: ${lines.length} lines (maximum ${maxEntries}).`;
    else if (long >= 0) problems[name] = `${label}: entry ${long + 1} is longer than ${limit} characters.`;
  }
  if (form.type.trim() === '') problems.type = 'Type: enter one, for example discovery.';
  const isEmpty = [form.title, form.narrative, form.facts].every((text) => text.trim() === '');
  if (isEmpty) problems.title = 'Enter a title, a narrative or a fact.';
  return problems;
}

/** Returns the fields that were changed here and elsewhere to different values. */
export function conflictsOf(
  before: ObservationDraft,
  { now, form }: { now: ObservationDraft; form: EditForm },
): FieldName[] {
  const mine = new Set(changedFields(toForm(before), form));
  const theirs = changedFields(toForm(before), toForm(now));
  return theirs.filter((name) => mine.has(name) && normal(name, form) !== normal(name, toForm(now)));
}

/** Returns the current observation as a form, with the fields that were changed here. */
export function carryOver(
  before: Observation,
  { now, form, theirs = [] }: { now: Observation; form: EditForm; theirs?: readonly FieldName[] },
): EditForm {
  const kept = changedFields(toForm(before), form).filter((name) => !theirs.includes(name));
  return { ...toForm(now), ...Object.fromEntries(kept.map((name) => [name, form[name]])) };
}

const changedFields = (before: EditForm, after: EditForm) =>
  FIELD_NAMES.filter((name) => normal(name, before) !== normal(name, after));

const normal = (name: FieldName, form: EditForm) =>
  name in LIST_FIELDS ? linesOf(form[name]).join('\n') : form[name].trim();

const toLines = (items: readonly string[]) => items.map((item) => item.replace(/\s*\n\s*/g, ' ')).join('\n');
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const textOf = (text: string) => text.trim() || null;

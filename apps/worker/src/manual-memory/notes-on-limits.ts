import { toStorableText, type ObservationInput } from '@claude-mem/core';
import { LIST_LIMITS, TEXT_LIMITS } from '@claude-mem/storage';

/** Returns a sentence for each field that is too long to be stored unchanged. */
export function notesOnLimits(draft: Partial<ObservationInput>): string[] {
  return [
    ...TEXTS.flatMap(([field, words]) => noteOnText(words, draft[field], TEXT_LIMITS[field])),
    ...LISTS.flatMap(({ field, words, one, limit, most }) => [
      ...noteOnList(words, draft[field], LIST_LIMITS[most]),
      ...noteOnEntries(words, draft[field]?.slice(0, LIST_LIMITS[most]), TEXT_LIMITS[limit], one),
    ]),
  ];
}

const TEXTS = [
  ['title', 'title'],
  ['subtitle', 'subtitle'],
  ['narrative', 'text'],
] as const;

const LISTS = [
  { field: 'facts', words: 'facts', one: 'fact', limit: 'fact', most: 'facts' },
  { field: 'concepts', words: 'concepts', one: 'concept', limit: 'concept', most: 'concepts' },
  { field: 'filesRead', words: 'files', one: 'file', limit: 'file', most: 'files' },
  { field: 'filesModified', words: 'changed files', one: 'changed file', limit: 'file', most: 'files' },
] as const;

function noteOnText(words: string, text: string | null | undefined, limit: number): string[] {
  return isLonger(text ?? '', limit) ? [`The ${words} is longer than ${limit} characters and was cut.`] : [];
}

function noteOnList(words: string, texts: readonly string[] | undefined, most: number): string[] {
  const count = texts?.length ?? 0;
  return count > most ? [`Of ${count} ${words} the first ${most} were kept.`] : [];
}

function noteOnEntries(
  words: string,
  texts: readonly string[] | undefined,
  limit: number,
  one: string,
): string[] {
  const count = (texts ?? []).filter((text) => isLonger(text, limit)).length;
  if (count === 0) return [];
  return [
    count === 1
      ? `One ${one} is longer than ${limit} characters and was cut.`
      : `${count} ${words} are longer than ${limit} characters and were cut.`,
  ];
}

const isLonger = (text: string, limit: number) => toStorableText(text).length > limit;

import type { ObservationInput } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';

/** In reading order. */
const READ_TOGETHER = ['title', 'subtitle', 'narrative', 'facts'] as const;
/** A longer title is a sentence and does not name a value. */
const MOST_WORDS_OF_NAME = 4;

/**
 * Scrubs fields together, for secrets that are only visible in several fields: a private key with a line in each
 * fact, or a value below the title that names it.
 */
export function scrubTogether<Draft extends Partial<ObservationInput>>(draft: Draft): Draft {
  const combined = READ_TOGETHER.flatMap((name) => draft[name] ?? []).join('\n');
  const { text, removed } = scrubText(combined);
  const keep = removed === 0 ? (field: string) => field : createLineFilter(combined, text);
  const title = typeof draft.title === 'string' ? keep(draft.title) || null : draft.title;
  const read = (field: string) => withoutValueOf(title ?? '', keep(field));
  const { subtitle, narrative, facts } = draft;
  return {
    ...draft,
    ...(title === undefined ? {} : { title }),
    ...(subtitle ? { subtitle: read(subtitle) || null } : {}),
    ...(narrative ? { narrative: read(narrative) || null } : {}),
    ...(facts ? { facts: facts.map(read).filter((fact) => fact !== '') } : {}),
  };
}

/**
 * Called for all parts of `whole` in order: returns the remaining lines of a part in `scrubbed`, and the
 * replacements.
 */
function createLineFilter(combined: string, scrubbed: string): (part: string) => string {
  const before = new Set(combined.split('\n'));
  const left = scrubbed.split('\n');
  let at = 0;
  const lineOf = (line: string): string[] => {
    const found = left.indexOf(line, at);
    if (found >= 0) {
      at = found + 1;
      return [line];
    }
    const instead = left[at];
    if (instead === undefined || before.has(instead)) return [];
    at += 1;
    return [instead];
  };
  return (part) => part.split('\n').flatMap(lineOf).join('\n');
}

function withoutValueOf(title: string, field: string): string {
  const name = title.replace(/[\s:=]+$/, '');
  if (name === '' || /\s/.test(field) || name.split(/\s+/).length > MOST_WORDS_OF_NAME) return field;
  const { text } = scrubText(`${name}: ${field}`);
  return text.startsWith(`${name}: `) ? text.slice(name.length + 2) : field;
}

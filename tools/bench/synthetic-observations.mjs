// Generates observations like those of a real project, with varied words, lengths, types and files. Equal seeds
// generate equal observations.
import { toFacts } from '@claude-mem/core';
import { randomFrom } from '../e2e/session-source.mjs';

const TYPES = ['bugfix', 'feature', 'refactor', 'decision', 'discovery', 'discovery', 'change', 'change'];
const CONCEPTS = ['how-it-works', 'what-changed', 'problem-solution', 'gotcha', 'pattern', 'trade-off'];
const VERBS = 'fixed added moved split renamed measured removed guarded cached retried parsed batched'.split(
  ' ',
);
const AREAS = 'queue parser worker session token cursor migration index lease socket budget renderer'.split(
  ' ',
);
const NOUNS =
  'timeout counter header retry limit order cache payload schema handler path offset buffer lock column'.split(
    ' ',
  );
const JOINS = 'because when after so that although until before where once which'.split(' ');

/** Yields `count` drafts with about 700 bytes of text each. */
export function* syntheticObservations(count, seed = 1) {
  const random = randomFrom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const word = () => pick(pick([VERBS, AREAS, NOUNS, NOUNS, JOINS]));
  const sentence = (words) => `${Array.from({ length: words }, word).join(' ')}.`;
  for (let index = 1; index <= count; index += 1) {
    const area = pick(AREAS);
    const noun = pick(NOUNS);
    const file = `src/${area}/${noun}-${Math.floor(random() * 400)}.ts`;
    yield {
      type: pick(TYPES),
      title: `${pick(VERBS)} the ${noun} of the ${area} in ${file.split('/').at(-1)} (${index})`,
      subtitle: sentence(9),
      narrative: `${sentence(18)} ${sentence(22)} ${sentence(14)}`,
      facts: toFacts([sentence(8), `${file} line ${Math.floor(random() * 900)}`, sentence(7)], 'agent'),
      concepts: [pick(CONCEPTS)],
      filesRead: [file, `src/${pick(AREAS)}/${pick(NOUNS)}.ts`],
      filesModified: random() < 0.5 ? [file] : [],
    };
  }
}

/** Returns the size of an observation's text in bytes of UTF-8. */
export function textBytes(draft) {
  const facts = draft.facts.map(({ text }) => text);
  const lists = [facts, draft.concepts, draft.filesRead, draft.filesModified].flat();
  return [draft.type, draft.title, draft.subtitle, draft.narrative, ...lists].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
}

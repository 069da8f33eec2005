import { isProseFile, type FileChange, type TurnEvidence } from '@claude-mem/evidence';
import { changedNames } from './describe-change.js';
import { joinedLines } from './joined-lines.js';
import { endsWithPath, filesIn, termsIn } from './names-in.js';
import { contentWords } from './text/content-words.js';

/**
 * Creates a function that returns true when a text names something that the turn changed: a file, or code in a changed
 * line.
 * The function around an edit is often not in the changed lines. A plain name therefore also counts when a word or
 * number of a changed line follows it. Commands do not count, and no name counts when the turn changed only documents.
 */
export function createChangeTest({ changes }: Pick<TurnEvidence, 'changes'>): (text: string) => boolean {
  const paths = changes.flatMap(({ path, from }) => [path, from ?? path]);
  const lines = changes.flatMap((change) => [
    change.added,
    change.removed,
    [...change.declarations],
    namesOf(change),
  ]);
  const known = `${joinedLines(lines)}\n${paths.join('\n')}`.toLowerCase();
  const isProgram = changes.some(({ path }) => !isProseFile(path));
  const isIn = (term: string) =>
    (term.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).every((word) => known.includes(word));
  return (text) => {
    if (filesIn(text).some((name) => paths.some((path) => endsWithPath(path, name)))) return true;
    const terms = termsIn(text).filter((term) => filesIn(term).length === 0);
    if (terms.some(isIn)) return true;
    if (terms.length > 0 && (!isProgram || !terms.every((term) => PLAIN_NAME.test(term)))) return false;
    const words = [...contentWords(text)].map((word) => word.slice(0, STEM));
    return [...words, ...(text.match(/\d{2,}/g) ?? [])].some((word) => known.includes(word));
  };
}

function namesOf(change: FileChange): string[] {
  const { added, removed, changed } = changedNames(change);
  return [...added, ...removed, ...changed].map(({ name }) => name);
}

const PLAIN_NAME = /^[\w$.#]+(?:\(\))?$/;
/** Number of compared letters. With this length, "rounding" is found in `round()`. */
const STEM = 5;

import type { TurnEvidence } from '@claude-mem/evidence';
import { endsWithPath, filesIn, foldersIn } from './names-in.js';
import { PAST_EDIT } from './text/lexicon.js';

const STARTS_WITH_ACTION =
  /^(?:adds?|creates?|updates?|removes?|deletes?|fix(?:es)?|changes?|renames?|moves?|refactors?|replaces?|implements?|extracts?)\s/i;

/** Matches a sentence that begins with an action verb. In a turn without edits, it describes earlier work. */
const OWN_ACTION =
  /^(?:added|created|updated|removed|deleted|fixed|changed|renamed|moved|refactored|replaced|implemented|rewrote|extracted)\b/i;

/** Matches a participle that is no action, as in "Deleted items are not logged". */
const IS_STATE = /^\w+ed (?:\S+ ){1,3}(?:is|are|was|were|has|have)\b/i;

/**
 * Returns true when a statement can be about this turn.
 * A statement about an edit of a file that the turn did not edit describes other work. A file that is only mentioned,
 * as in "the `.env` handling", does not count.
 */
export function belongsToTurn(text: string, under: readonly string[], evidence: TurnEvidence): boolean {
  const claimsChange =
    PAST_EDIT.test(text) || STARTS_WITH_ACTION.test(text) || under.some((heading) => PAST_EDIT.test(heading));
  if (!claimsChange) return true;
  const touched = [
    ...evidence.changes.flatMap(({ path, from }) => [path, from ?? path]),
    ...evidence.commits.flatMap((commit) => commit.files),
  ];
  const isTouched = (name: string) =>
    touched.some(
      (path) =>
        endsWithPath(path, name) || path.startsWith(`${name.replace(/^\.?\//, '').replace(/\/$/, '')}/`),
    );
  const own = filesIn(text);
  if (own.some((name) => evidence.failedWrites.some(({ path }) => endsWithPath(path, name)))) return false;
  const context = under.flatMap(filesIn);
  if (own.length === 0 && context.length === 0) {
    return touched.length > 0 || evidence.commits.length > 0 || !OWN_ACTION.test(text) || IS_STATE.test(text);
  }
  if ([...own, ...foldersIn(text)].some(isTouched)) return true;
  if (context.some(isTouched)) return !startsWithFile(text);
  const objects = own.filter((name) => isObject(text, name));
  return objects.length === 0 && context.length === 0 && own.length > 0;
}

const startsWithFile = (text: string) => /^[`"(]*[\w./@-]+\.\w{1,8}[`")]*\s*(?:[—–:-]|$)/.test(text);

/** Returns true when the file is the object of the sentence and not an attribute of another noun. */
function isObject(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const rest = text.slice(at + name.length).replace(/^[:\d-]*[`"')\]]*/, '');
  return /^\s*(?:$|[.,;:()[\]—–-]|(?:to|with|for|and|so|by|using|from|as|which|that|in|on|into|file\b|files\b|に|を|で|から|の)(?:\s|$))/i.test(
    rest,
  );
}

import type { TurnEvidence } from '@claude-mem/evidence';
import { endsWithPath, filesIn, foldersIn } from './names-in.js';
import { PAST_EDIT } from './text/lexicon.js';

const STARTS_WITH_DEED =
  /^(?:adds?|creates?|updates?|removes?|deletes?|fix(?:es)?|changes?|renames?|moves?|refactors?|replaces?|implements?|extracts?)\s/i;

/** Begins with the verb of a deed: in a turn without edits it tells of an earlier one. */
const OWN_DEED =
  /^(?:added|created|updated|removed|deleted|fixed|changed|renamed|moved|refactored|replaced|implemented|rewrote|extracted)\b/i;

/** "Deleted items are not logged": the verb is none. */
const IS_STATE = /^\w+ed (?:\S+ ){1,3}(?:is|are|was|were|has|have)\b/i;

/**
 * Whether a statement can be about this turn. One that claims to have changed a file which the turn did not touch tells
 * of earlier work, or of none. A file that is only mentioned ("the `.env` handling") claims nothing.
 */
export function belongsToTurn(text: string, under: readonly string[], evidence: TurnEvidence): boolean {
  const claimsChange =
    PAST_EDIT.test(text) || STARTS_WITH_DEED.test(text) || under.some((heading) => PAST_EDIT.test(heading));
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
    return touched.length > 0 || evidence.commits.length > 0 || !OWN_DEED.test(text) || IS_STATE.test(text);
  }
  if ([...own, ...foldersIn(text)].some(isTouched)) return true;
  if (context.some(isTouched)) return !startsWithFile(text);
  const objects = own.filter((name) => isObject(text, name));
  return objects.length === 0 && context.length === 0 && own.length > 0;
}

const startsWithFile = (text: string) => /^[`"(]*[\w./@-]+\.\w{1,8}[`")]*\s*(?:[—–:-]|$)/.test(text);

/** The file is what the sentence acts on, not a word before another noun. */
function isObject(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const rest = text.slice(at + name.length).replace(/^[:\d-]*[`"')\]]*/, '');
  return /^\s*(?:$|[.,;:()[\]—–-]|(?:to|with|for|and|so|by|using|from|as|which|that|in|on|into|file\b|files\b|に|を|で|から|の)(?:\s|$))/i.test(
    rest,
  );
}

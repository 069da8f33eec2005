/**
 * Whether a path matches a glob with `*` and `?` within a folder name, `**` across folders and `{a,b}`. A glob also
 * covers everything below what it matches, so `secret` and `secret/**` mean the same. Anything else is literal. Polynomial in the
 * lengths, whatever the glob is.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const folders = path.split('/');
  return expandBraces(glob).some((pattern) => matchesFolders(folders, partsOf(pattern)));
}

/** A trailing `**` adds nothing: what lies below is covered anyway. */
const partsOf = (glob: string) => glob.replace(/(?:\/\*\*)+$/, '').split('/');

/** `reached[n]`: the parts so far can stand for the first n folders. */
function matchesFolders(folders: readonly string[], parts: readonly string[]): boolean {
  let reached = [true, ...folders.map(() => false)];
  for (const part of parts) {
    const next = reached.map(() => false);
    for (let count = 0; count <= folders.length; count += 1) {
      const folder = folders[count - 1];
      if (part === '**') next[count] = reached[count] === true || (count > 0 && next[count - 1] === true);
      else if (folder !== undefined && reached[count - 1]) next[count] = matchesName(folder, part);
    }
    reached = next;
  }
  return reached.some((isReached, count) => isReached && (count > 0 || folders.length === 0));
}

/** Goes back to the last star only, which is enough: an earlier one could not match more. */
function matchesName(name: string, pattern: string): boolean {
  const have = [...name];
  const want = [...pattern];
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let index = 0; index < have.length;) {
    if (want[at] === '*') {
      star = at;
      starAt = index;
      at += 1;
    } else if (at < want.length && (want[at] === '?' || want[at] === have[index])) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      at = star + 1;
      starAt += 1;
      index = starAt;
    } else return false;
  }
  return want.slice(at).every((char) => char === '*');
}

const MAX_ALTERNATIVES = 256;

/** All globs that `{a,b}` groups stand for; braces inside braces and those past the limit stay as they are. */
function expandBraces(glob: string): string[] {
  const pieces = glob.split(/(\{[^{}]*,[^{}]*\})/);
  let globs = [''];
  for (const [index, piece] of pieces.entries()) {
    const alternatives = index % 2 === 1 ? piece.slice(1, -1).split(',') : [piece];
    const isTooMany = globs.length * alternatives.length > MAX_ALTERNATIVES;
    globs = globs.flatMap((start) => (isTooMany ? [piece] : alternatives).map((end) => start + end));
  }
  return globs;
}

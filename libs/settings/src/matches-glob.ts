/**
 * Whether a path or one of its parents matches a glob. `*` and `?` match within a folder name, `**` across folders, `{a,b}`
 * alternatives. Other characters are literal. Takes polynomial time for every glob.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const folders = path.split('/');
  return expandBraces(glob).some((pattern) => matchesFolders(folders, splitGlob(pattern)));
}

/** Removes a trailing `**`, because a glob matches all paths below anyway. */
const splitGlob = (glob: string) => glob.replace(/(?:\/\*\*)+$/, '').split('/');

/** `reached[n]`: the parts so far match the first n folders. */
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

/** Backtracks only to the last star, because an earlier star cannot match more. */
function matchesName(name: string, pattern: string): boolean {
  const nameChars = [...name];
  const patternChars = [...pattern];
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let index = 0; index < nameChars.length;) {
    if (patternChars[at] === '*') {
      star = at;
      starAt = index;
      at += 1;
    } else if (
      at < patternChars.length &&
      (patternChars[at] === '?' || patternChars[at] === nameChars[index])
    ) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      at = star + 1;
      starAt += 1;
      index = starAt;
    } else return false;
  }
  return patternChars.slice(at).every((char) => char === '*');
}

const MAX_ALTERNATIVES = 256;

/** Expands `{a,b}` groups. Nested groups and groups beyond the limit stay literal. */
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

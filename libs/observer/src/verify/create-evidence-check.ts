import type { ObserverBatch } from '@claude-mem/core';
import { changedFiles, type TurnEvidence } from '@claude-mem/evidence';

/** Minimum length of a quotation. Many outputs contain shorter ones by chance. */
const MIN_QUOTATION = 6;
const QUOTATION = /`([^`]+)`|"([^"]+)"|“([^”]+)”/g;
const COMMIT_DIGITS = 7;

/**
 * Creates a predicate that is true if a text names a file, command or commit of the turn, or quotes from a command or
 * an error. A file name without its folder also counts.
 */
export function createEvidenceCheck(
  { toolUses }: ObserverBatch,
  evidence: TurnEvidence,
): (text: string) => boolean {
  const { filesRead, failedWrites, commands, commits } = evidence;
  const files = [...filesRead, ...changedFiles(evidence), ...failedWrites.map(({ path }) => path)];
  const fileNames = files.map((file) => file.slice(file.lastIndexOf('/') + 1));
  const names = new Set([
    ...files,
    ...fileNames.filter((name) => name.includes('.')),
    // The name of a program without arguments, such as "make", can be an ordinary word.
    ...commands
      .flatMap(({ displayLine, name }) => [displayLine, name])
      .filter((command) => command.includes(' ')),
    ...commits.map(({ id }) => id.slice(0, COMMIT_DIGITS)),
  ]);
  const errors = toolUses.flatMap(({ error }) => error ?? []);
  const failed = commands.filter(({ outcome }) => outcome === 'failed').map(({ output }) => output);
  const sources = [...commands.map(({ line }) => line), ...errors, ...failed].join('\n');
  return (text) => [...names].some((name) => isNamed(text, name)) || quotes(text, sources);
}

/**
 * Returns true if the text contains the name, but not as part of a longer word or path. A commit id can continue with
 * more digits.
 */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + name.length, at + name.length + 40);
    const end = /^[0-9a-f]{7}$/.test(name) ? /^[0-9a-f]{0,33}(?![\w-])/ : /^(?![\w/-]|\.\w)/;
    if (!/[\w./-]/.test(before) && end.test(after)) return true;
  }
  return false;
}

function quotes(text: string, sources: string): boolean {
  return [...text.matchAll(QUOTATION)].some(([, ...groups]) => {
    const quotation = groups.find((group) => group !== undefined) ?? '';
    return quotation.length >= MIN_QUOTATION && sources.includes(quotation);
  });
}

import { isTestFile, type FileChange } from '@claude-mem/evidence';
import {
  addedComments,
  changedNames,
  identifiers,
  listNames,
  replacedNames,
  literalChange,
  mainChange,
} from './describe-change.js';
import { fitTitle } from './fit-title.js';
import { termsIn } from './names-in.js';
import { firstSentences } from './read-request.js';
import { formatPath, shortPath } from './short-path.js';
import { contentWords } from './text/content-words.js';
import { unquoted } from './text/unquoted.js';
import type { Turn } from './turn.js';
import { isUnprovable } from './unprovable.js';

/** Creates a title from the edits alone. */
export function evidenceTitle({ evidence, clean }: Turn): string | null {
  const main = mainChange(evidence.changes);
  if (!main) return null;
  const place = shortPath(main.path);
  if (main.kind === 'deleted') return fitTitle(`${formatPath(main.path)} removed`) ?? `${place} removed`;
  if (main.kind === 'moved') {
    const from = main.from ?? '';
    const isRename = from.split('/').slice(0, -1).join('/') === main.path.split('/').slice(0, -1).join('/');
    return isRename
      ? `${shortPath(from)} renamed to ${place}`
      : (fitTitle(`${shortPath(from)} moved to ${formatPath(main.path)}`) ?? `${place} moved`);
  }
  const worded = commentTitle(main);
  if (worded !== null) return worded;
  const names = changedNames(main);
  const { added, removed, changed } = names;
  const replaced = replacedNames(names).find(([{ kind }]) => /^(?:function|type|test)$/.test(kind));
  if (replaced !== undefined) {
    const [old, name] = replaced.map((one) => listNames([one])!.replaceAll('`', ''));
    const title = fitTitle(`${old} replaced with ${name} in ${place}`);
    if (title !== null) return title;
  }
  const outside = added.filter(({ kind }) => kind === 'env' || kind === 'flag');
  const first =
    outside.length > 0
      ? outside
      : added.filter(
          ({ kind }) => kind === 'function' || kind === 'type' || kind === 'table' || kind === 'heading',
        );
  const formatTitle = (names: string, verb: string) =>
    clean(`${names.replaceAll('`', '')} ${verb} ${place}`, 100);
  const formatNames = (list: typeof added) => listNames(list, 2)?.replace(/ and \d+ more$/, '') ?? null;
  if (first.length > 0)
    return formatTitle(
      formatNames(first.slice(0, 2))!,
      main.kind === 'created' ? 'added in new' : 'added in',
    );
  const test = formatNames(added.filter(({ kind }) => kind === 'test').slice(0, 1));
  const tests = test === null ? null : (fitTitle(formatTitle(test, 'added in')) ?? `Tests added in ${place}`);
  if (tests !== null && isTestFile(main.path)) return tests;
  const removedNames = removed.filter(({ kind }) => kind === 'function' || kind === 'type');
  if (removedNames.length > 0) return formatTitle(formatNames(removedNames.slice(0, 2))!, 'removed from');
  const modified = changed.filter(({ kind }) => kind === 'function' || kind === 'type' || kind === 'test');
  if (modified.length > 0) return formatTitle(formatNames(modified.slice(0, 2))!, 'changed in');
  if (main.declarations.length > 0)
    return formatTitle(
      isTestFile(main.path) ? main.declarations[0]! : `${main.declarations[0]}()`.replace('()()', '()'),
      'changed in',
    );
  if (tests !== null) return tests;
  const settings = formatNames(added.filter(({ kind }) => kind === 'setting').slice(0, 2));
  return settings === null ? null : fitTitle(formatTitle(settings, 'added in'));
}

/** Creates a title from a check that failed before the work and passes after it. */
export function checkTitle({ evidence, request }: Turn): string | null {
  const fix = evidence.fixes.find(
    ({ isPreexisting, failed }) => isPreexisting && failed.kind !== 'commit' && failed.kind !== 'run',
  );
  if (!fix || !new RegExp(fix.failed.kind, 'i').test(request.prompt)) return null;
  const files = evidence.filesModified;
  const place =
    files.length > 1 ? `${shortPath(files[0]!)} and ${files.length - 1} more` : shortPath(files[0] ?? '');
  return fitTitle(`${fix.failed.displayLine} errors fixed in ${place}`);
}

/** Creates a title from the completed to-do item when the turn had one or two. */
export function todoTitle({ evidence }: Turn): string | null {
  const done = evidence.todos.filter(({ status }) => status !== 'pending');
  const text = evidence.todos.length > 3 ? undefined : done[0]?.text;
  return text === undefined || isUnprovable(text, evidence) ? null : fitTitle(text);
}

/** Creates a title from a short imperative request, with the file that the turn changed for it. */
export function promptTitle({ evidence, request, clean }: Turn): string | null {
  const main = mainChange(evidence.changes);
  if (!main || request.isBare || request.prompt.length > 400) return null;
  const wording = clean(firstSentences(request.prompt, 160)).replace(
    /^(?:(?:ok(?:ay)?|now|also|hmm+|sorry|so|great|thanks?|and|yes|one (?:last|more) (?:thing|modification))[,.:!]?\s+)+/i,
    '',
  );
  const action = wording.replace(POLITE, '').replace(/\s*[?!]+$/, '');
  if (!POLITE.test(wording) && !IMPERATIVE.test(action)) return null;
  const title = fitTitle(action, 9);
  if (title === null || (termsIn(title).length === 0 && contentWords(title).size < 3)) return null;
  return `${shortPath(main.path)}: ${title}`;
}

/**
 * Creates a title from the changed files and the words of the request: the prompt, the option that it picks, or the
 * first prompt of the session.
 */
export function requestedTitle({ evidence, request, clean }: Turn): string | null {
  const { prompt, isBare, option, goal } = request;
  const words = isBare || prompt === '' ? (option ?? goal) : firstSentences(prompt, 160);
  if (words === null || evidence.changes.length === 0) return null;
  return `${changedFiles(evidence.changes)}: “${unquoted(firstWords(clean(words), QUOTED_LENGTH))}”`;
}

const QUOTED_LENGTH = 60;

const firstWords = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\s,;:]+\S*$/, '')} …`;

const changedFiles = (changes: readonly FileChange[]): string => {
  const others = changes.length - 1;
  return `${shortPath(mainChange(changes)!.path)}${others > 0 ? ` and ${others} more` : ''} changed`;
};

/** Matches a polite beginning of a request. An action follows. */
const POLITE =
  /^(?:(?:can|could|would|will) (?:you|we)(?: please)?|please|let(?:'|’)?s|we should|you should|i(?:'|’)d like (?:you )?to|i want (?:you )?to|i need (?:you )?to)\s+(?:also\s+|just\s+|maybe\s+)?/i;

const IMPERATIVE =
  /^(?:add|make|change|update|remove|delete|rename|move|fix|use|replace|create|implement|hide|show|set|switch|split|extract|refactor|clean|simplify|improve|handle|support|allow|write|document|convert|merge|revert|bump|upgrade|include|exclude|put|turn|increase|reduce|limit|enable|disable)\s/i;

/** Creates a title from a replaced name and its replacement, when the turn changed only one file. */
export function replacedTitle({ evidence }: Turn): string | null {
  const [change, ...others] = evidence.changes;
  if (change === undefined || others.length > 0) return null;
  const literal = literalChange(change);
  return literal !== null && /^`[A-Za-z_][\w.()-]*` became `[A-Za-z_][\w.()-]*`$/.test(literal)
    ? fitTitle(`${literal} in ${shortPath(change.path)}`)
    : null;
}

/** Creates the fallback title from the names in the changed lines or the changed file. */
export function plainTitle({ evidence }: Turn): string | null {
  const main = mainChange(evidence.changes);
  if (!main) return null;
  if (main.kind === 'created') return `New file ${formatPath(main.path)}`;
  const [now, before] = identifiers(main);
  const names = (now.length > 0 ? now : before).slice(0, 2).join(', ').replaceAll('`', '');
  return names === ''
    ? changedFiles(evidence.changes)
    : `${shortPath(main.path)}: ${names} ${now.length > 0 ? 'added' : 'removed'}`;
}

/** Creates a title from an added comment about the current behavior, with the name of the surrounding declaration. */
function commentTitle(change: FileChange): string | null {
  const container = change.declarations[0];
  if (container === undefined || isTestFile(change.path)) return null;
  const comment = addedComments(change).find((text) =>
    /^(?:uses?|returns?|skips?|avoids?|only|always|never|ignores?|falls? back|prefers?|checks?|keeps?|runs?|waits?|stops?|extracts?|reads?|writes?|treats?|allows?|rejects?|strips?)\b/i.test(
      text,
    ),
  );
  return comment === undefined
    ? null
    : fitTitle(`${container}: ${comment[0]!.toLowerCase()}${comment.slice(1)}`);
}

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

/** From the edits alone. */
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
  const say = (names: string, what: string) => clean(`${names.replaceAll('`', '')} ${what} ${place}`, 100);
  const some = (list: typeof added) => listNames(list, 2)?.replace(/ and \d+ more$/, '') ?? null;
  if (first.length > 0)
    return say(some(first.slice(0, 2))!, main.kind === 'created' ? 'added in new' : 'added in');
  const test = some(added.filter(({ kind }) => kind === 'test').slice(0, 1));
  const tests = test === null ? null : (fitTitle(say(test, 'added in')) ?? `Tests added in ${place}`);
  if (tests !== null && isTestFile(main.path)) return tests;
  const gone = removed.filter(({ kind }) => kind === 'function' || kind === 'type');
  if (gone.length > 0) return say(some(gone.slice(0, 2))!, 'removed from');
  const touched = changed.filter(({ kind }) => kind === 'function' || kind === 'type' || kind === 'test');
  if (touched.length > 0) return say(some(touched.slice(0, 2))!, 'changed in');
  if (main.declarations.length > 0)
    return say(
      isTestFile(main.path) ? main.declarations[0]! : `${main.declarations[0]}()`.replace('()()', '()'),
      'changed in',
    );
  if (tests !== null) return tests;
  const settings = some(added.filter(({ kind }) => kind === 'setting').slice(0, 2));
  return settings === null ? null : fitTitle(say(settings, 'added in'));
}

/** A check that was red before the work and is green after it. */
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

/** The to-do item that the work was, when there was but one or two. */
export function todoTitle({ evidence }: Turn): string | null {
  const done = evidence.todos.filter(({ status }) => status !== 'pending');
  const text = evidence.todos.length > 3 ? undefined : done[0]?.text;
  return text === undefined || isUnprovable(text, evidence) ? null : fitTitle(text);
}

/** A short request in the imperative, with the file that the turn changed for it. */
export function promptTitle({ evidence, request, clean }: Turn): string | null {
  const main = mainChange(evidence.changes);
  if (!main || request.isBare || request.prompt.length > 400) return null;
  const wish = clean(firstSentences(request.prompt, 160)).replace(
    /^(?:(?:ok(?:ay)?|now|also|hmm+|sorry|so|great|thanks?|and|yes|one (?:last|more) (?:thing|modification))[,.:!]?\s+)+/i,
    '',
  );
  const deed = wish.replace(POLITE, '').replace(/\s*[?!]+$/, '');
  if (!POLITE.test(wish) && !IMPERATIVE.test(deed)) return null;
  const title = fitTitle(deed, 9);
  if (title === null || (termsIn(title).length === 0 && contentWords(title).size < 3)) return null;
  return `${shortPath(main.path)}: ${title}`;
}

/** The changed files with the words of the request: of the prompt, the option it picks, or the first prompt of the session. */
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

/** What follows is a deed, whatever the verb. */
const POLITE =
  /^(?:(?:can|could|would|will) (?:you|we)(?: please)?|please|let(?:'|’)?s|we should|you should|i(?:'|’)d like (?:you )?to|i want (?:you )?to|i need (?:you )?to)\s+(?:also\s+|just\s+|maybe\s+)?/i;

const IMPERATIVE =
  /^(?:add|make|change|update|remove|delete|rename|move|fix|use|replace|create|implement|hide|show|set|switch|split|extract|refactor|clean|simplify|improve|handle|support|allow|write|document|convert|merge|revert|bump|upgrade|include|exclude|put|turn|increase|reduce|limit|enable|disable)\s/i;

/** The name that the turn replaced and its replacement, when the turn changed only one file. */
export function replacedTitle({ evidence }: Turn): string | null {
  const [change, ...others] = evidence.changes;
  if (change === undefined || others.length > 0) return null;
  const literal = literalChange(change);
  return literal !== null && /^`[A-Za-z_][\w.()-]*` became `[A-Za-z_][\w.()-]*`$/.test(literal)
    ? fitTitle(`${literal} in ${shortPath(change.path)}`)
    : null;
}

/** The last resort: the names in the changed lines, or that a file was changed. */
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

/** A comment that the edit added to say what the code does now, with the name of what it is in. */
function commentTitle(change: FileChange): string | null {
  const holder = change.declarations[0];
  if (holder === undefined || isTestFile(change.path)) return null;
  const comment = addedComments(change).find((text) =>
    /^(?:uses?|returns?|skips?|avoids?|only|always|never|ignores?|falls? back|prefers?|checks?|keeps?|runs?|waits?|stops?|extracts?|reads?|writes?|treats?|allows?|rejects?|strips?)\b/i.test(
      text,
    ),
  );
  return comment === undefined
    ? null
    : fitTitle(`${holder}: ${comment[0]!.toLowerCase()}${comment.slice(1)}`);
}

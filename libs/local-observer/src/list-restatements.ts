import { NAMES_COMMIT, PROPOSES, RECAPS, REPORTS } from './conversation/cues.js';
import { isQuestion, withoutQuotes } from './conversation/dialogue-act.js';
import { lastingScore } from './conversation/lasting-score.js';
import type { Paragraph } from './conversation/own-sentences.js';
import type { Statement } from './conversation/statement.js';
import { getShare, extractTerms } from './conversation/terms.js';

/** Minimum share of the terms of the agent that occur in sentences of the user. */
const MIN_REPEATED_SHARE = 0.4;
/** Minimum share of the terms of a list that occur earlier in the conversation. */
const MIN_DISCUSSED_SHARE = 0.5;

/** Lists the sentences in which the agent repeats the discussion. They contain no new claims of the agent. */
export function listRestatements(
  after: readonly Paragraph[],
  {
    recent,
    shared,
    turn,
    isLast,
    onlyRecaps,
  }: {
    recent: ReadonlySet<string>;
    /** Terms of the user and of earlier messages of the agent. */
    shared: ReadonlySet<string>;
    turn: number;
    isLast: boolean;
    /** Skips sentences outside recaps. */
    onlyRecaps: boolean;
  },
): Statement[] {
  const discussed = turn === 0 ? new Set<string>() : discussedLists(after, shared);
  return after.flatMap(({ sentences, lead, isListed }) => {
    const isInList = isListed && discussed.has(lead);
    let isRecap = isInList || RECAPS.test(lead.slice(-120)) || (isLast && repeatsUser(sentences, recent));
    return sentences.flatMap((text): Statement[] => {
      const bare = withoutQuotes(text);
      if (isQuestion(text) || REPORTS.test(bare)) return [];
      // The rest of its paragraph belongs to a recap.
      isRecap ||= RECAPS.test(bare.slice(0, 60));
      if (!isRecap && onlyRecaps) return [];
      const terms = extractTerms(text);
      const echo = getShare(terms, recent);
      if (PROPOSES.test(bare) || NAMES_COMMIT.test(bare)) return [];
      if (isRecap ? terms.size < 3 || (echo < 0.3 && !isInList) : terms.size < 5 || echo < MIN_REPEATED_SHARE)
        return [];
      const closeness = (isRecap || echo >= 0.6 ? 2 : 1) + (isRecap ? (isLast ? 3 : 2) : 0);
      return [
        {
          text,
          origin: 'agent',
          turn,
          score: closeness + Math.max(0, lastingScore(text) / 2),
          question: null,
          role: isRecap ? 'recap' : 'statement',
        },
      ];
    });
  });
}

const CLAUSE_END = /[,;:，；：、—–]|\s(?:and|und|et|y|e|и)\s/iu;

export const clausesOf = (text: string): string[] => text.split(CLAUSE_END);

/** Returns true when a restatement contains a clause that does not repeat the user. */
export const addsClause = (text: string, userTerms: ReadonlySet<string>): boolean =>
  clausesOf(text)
    .map(extractTerms)
    .some((terms) => terms.size >= 2 && getShare(terms, userTerms) < MIN_REPEATED_SHARE);

function repeatsUser(sentences: readonly string[], recent: ReadonlySet<string>): boolean {
  const terms = extractTerms(sentences.join(' '));
  return terms.size >= 6 && getShare(terms, recent) >= MIN_REPEATED_SHARE;
}

/** Finds the leads of lists that repeat the discussion and have at least two items. */
function discussedLists(after: readonly Paragraph[], shared: ReadonlySet<string>): Set<string> {
  const lists = new Map<string, string[]>();
  for (const { isListed, lead, sentences } of after) {
    if (!isListed) continue;
    const items = lists.get(lead) ?? [];
    items.push(sentences.join(' '));
    lists.set(lead, items);
  }
  const repeated = [...lists].filter(
    ([, items]) =>
      items.length > 1 && getShare(extractTerms(items.join('\n')), shared) >= MIN_DISCUSSED_SHARE,
  );
  return new Set(repeated.map(([lead]) => lead));
}

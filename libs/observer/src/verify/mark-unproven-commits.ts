import type { ObserverBatch } from '@claude-mem/core';
import type { Records } from '../read-reply.js';

const SENTENCE = /[^\n]+?(?:[.;!?](?=\s)|$)/gm;
const SPEAKS_OF_COMMITS =
  /\b(?:commit(?:s|ted)?|cherry-pick(?:ed)?|revert(?:s|ed)?|merged?|revision|sha|HEAD)\b/i;
/**
 * Matches commit ids, but not colors, paths, or parts of longer words. An id needs digits and letters, except after
 * the word "commit".
 */
const ID =
  /(?<![#\w/.-])(?:(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])|(?<=\bcommit [`'"(]?))[0-9a-f]{7,40}(?![\w-])/gi;

/**
 * Marks commit ids in texts that the batch does not contain. Other hex numbers, such as colors, are not changed.
 */
export function markUnprovenCommits({ observations, summary }: Records, batch: ObserverBatch): Records {
  const isShown = createLookup(batch);
  const markSentence = (sentence: string) =>
    SPEAKS_OF_COMMITS.test(sentence)
      ? sentence.replace(ID, (id) => (isShown(id) ? id : `${id} (unverified)`))
      : sentence;
  const mark = (text: string) => text.replace(SENTENCE, markSentence);
  const markAny = (text: string | null) => (text === null ? null : mark(text));
  return {
    observations: observations.map((draft) => ({
      ...draft,
      title: markAny(draft.title),
      subtitle: markAny(draft.subtitle),
      narrative: markAny(draft.narrative),
      facts: draft.facts.map((fact) => ({ ...fact, text: mark(fact.text) })),
    })),
    summary: summary && {
      ...summary,
      request: markAny(summary.request),
      investigated: markAny(summary.investigated),
      learned: markAny(summary.learned),
      completed: markAny(summary.completed),
      nextSteps: markAny(summary.nextSteps),
      notes: markAny(summary.notes),
    },
  };
}

/** Creates a predicate that is true if the tool uses, the prompt or earlier records contain the id. */
function createLookup(batch: ObserverBatch): (id: string) => boolean {
  let text: string | null = null;
  return (id) => {
    text ??= formatBatch(batch);
    // Git shortens ids to different lengths, so only the first seven digits are compared.
    return text.includes(id.slice(0, 7).toLowerCase());
  };
}

function formatBatch({ toolUses, prompt, recordedTitles, lastSummary }: ObserverBatch): string {
  const parts = toolUses.map(({ input, response, error }) => JSON.stringify([input, response, error]));
  return [...parts, prompt ?? '', ...recordedTitles, JSON.stringify(lastSummary)].join('\n').toLowerCase();
}

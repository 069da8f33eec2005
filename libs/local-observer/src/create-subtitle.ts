import { describeChange, mainChange } from './describe-change.js';
import { fitTitle } from './fit-title.js';
import { isRepetition } from './create-facts.js';
import type { Turn } from './turn.js';

/** Returns a second line after the title: the next best statement, or a description of the main file's edits. */
export function createSubtitle(turn: Turn, title: string): string | null {
  const next = turn.ranked.find((ranked) => ranked.score >= 3 && !isRepetition(ranked.title, title));
  if (next) return fitTitle(turn.clean(next.claim.text), 16) ?? next.title;
  const main = mainChange(turn.evidence.changes);
  const reported = main ? describeChange(main) : null;
  if (reported !== null && !isRepetition(reported, title)) return turn.clean(reported, 140);
  const others = turn.evidence.filesModified.length;
  return main && others > 0
    ? turn.clean(others > 1 ? `${main.path} and ${others - 1} more` : main.path, 140)
    : null;
}

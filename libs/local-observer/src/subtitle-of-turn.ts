import { describeChange, mainChange } from './describe-change.js';
import { fitTitle } from './fit-title.js';
import { repeats } from './facts-of-turn.js';
import type { Turn } from './turn.js';

/** A second line that the title has no room for: the next best statement, or what the main file's edits did. */
export function subtitleOfTurn(turn: Turn, title: string): string | null {
  const next = turn.ranked.find((ranked) => ranked.score >= 3 && !repeats(ranked.title, title));
  if (next) return fitTitle(turn.clean(next.claim.text), 16) ?? next.title;
  const main = mainChange(turn.evidence.changes);
  const told = main ? describeChange(main) : null;
  if (told !== null && !repeats(told, title)) return turn.clean(told, 140);
  const others = turn.evidence.filesModified.length;
  return main && others > 0
    ? turn.clean(others > 1 ? `${main.path} and ${others - 1} more` : main.path, 140)
    : null;
}

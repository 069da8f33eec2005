import { toFacts, type ObservationDraft } from '@claude-mem/core';
import { choiceFact } from './create-facts.js';
import { fitTitle } from './fit-title.js';
import { withStop } from './create-narrative.js';
import { readDecision } from './read-decision.js';
import { CAUSE } from './text/lexicon.js';
import { unquoted } from './text/unquoted.js';
import type { Turn } from './turn.js';
import { AGENT } from './unprovable.js';

/** Creates a separate record for a decision, because its reason remains valid after further edits. */
export function draftDecision(turn: Turn): ObservationDraft | null {
  const decision = readDecision(turn);
  if (decision === null) return null;
  const { choices, sentence } = decision;
  const choice = choices.at(-1);
  if (choice === undefined) return draftReportedDecision(turn, sentence!);
  const answer = stripHint(choice.answer);
  const title =
    fitTitle(turn.clean(`Chosen: ${answer} — ${choice.question}`, 200), 11) ??
    fitTitle(turn.clean(choice.question, 200));
  if (title === null) return null;
  const label = (text: string) => `“${unquoted(stripHint(text))}”`;
  const against = choice.rejected.map((option) => label(option.label)).join(', ');
  const chosen = `Asked “${unquoted(choice.question)}”, the user chose ${label(answer)}${against === '' ? '' : ` over ${against}`}`;
  const described =
    choice.meaning === null ? null : `The option was described as “${unquoted(choice.meaning)}”`;
  const reason = sentence === null ? described : `${AGENT}: ${sentence}`;
  return {
    type: 'decision',
    title: capitalized(title),
    subtitle: turn.clean(choice.question, 140),
    narrative: turn.clean(
      [chosen, ...(reason === null ? [] : [capitalized(reason)])].map(withStop).join(' '),
      1_000,
    ),
    facts: [
      ...toFacts(choices.slice(-6).map(choiceFact), 'user'),
      ...toFacts(
        choice.rejected.flatMap((option) =>
          option.meaning === null
            ? []
            : [`${label(option.label)}, described as “${unquoted(option.meaning)}”`],
        ),
        'rejected',
      ),
    ]
      .slice(0, 8)
      .map(({ text, origin }) => ({ text: turn.clean(text, 320), origin })),
    concepts: sentence !== null && CAUSE.test(sentence) ? ['trade-off', 'why-it-exists'] : ['trade-off'],
    filesRead: [],
    filesModified: [],
  };
}

/** Creates a decision record from the closing message alone, because the user was not asked. */
function draftReportedDecision({ clean }: Turn, sentence: string): ObservationDraft | null {
  const title = fitTitle(clean(sentence, 400));
  return title === null
    ? null
    : {
        type: 'decision',
        title: `${AGENT}: ${title}`,
        subtitle: null,
        narrative: clean(withStop(`${AGENT}, it was decided: ${sentence}`), 1_000),
        facts: [],
        concepts: ['trade-off', 'why-it-exists'],
        filesRead: [],
        filesModified: [],
      };
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** Removes the hint that the dialog adds, as in "Pre-built binaries (Recommended)". */
const stripHint = (label: string) => label.replace(/\s*\((?:recommended|empfohlen|推奨|推荐)\)\s*$/i, '');

import { toFacts, type ObservationDraft } from '@claude-mem/core';
import type { UserChoice } from '@claude-mem/evidence';
import { choiceFact, isProcedural } from './facts-of-turn.js';
import { fitTitle } from './fit-title.js';
import { withStop } from './narrative-of-turn.js';
import { CAUSE } from './text/lexicon.js';
import { unquoted } from './text/unquoted.js';
import type { Turn } from './turn.js';
import { AGENT } from './unprovable.js';

/** Choices of the user that settle something about the project, or the sentence that says so, or both. */
export interface Settled {
  choices: readonly UserChoice[];
  sentence: string | null;
}

/** What the user settled in a turn that also changed files; null when nothing, or when no file was changed. */
export function settledIn({ evidence, claims }: Pick<Turn, 'evidence' | 'claims'>): Settled | null {
  if (evidence.changes.length === 0) return null;
  const decided = claims.flatMap(({ decision }) => decision ?? []);
  const reasoned = decided.find((text) => CAUSE.test(text));
  const sentence = reasoned ?? decided[0] ?? null;
  const choices = evidence.choices.filter(
    ({ question, rejected }) => !isProcedural(question) && (rejected.length > 0 || sentence !== null),
  );
  return choices.length === 0 && reasoned === undefined ? null : { choices, sentence };
}

/** A record of its own for what was settled: the reason outlives the edits that it led to. */
export function decisionOf(turn: Turn): ObservationDraft | null {
  const settled = settledIn(turn);
  if (settled === null) return null;
  const { choices, sentence } = settled;
  const choice = choices.at(-1);
  if (choice === undefined) return saidDecision(turn, sentence!);
  const answer = withoutRemark(choice.answer);
  const title =
    fitTitle(turn.clean(`Chosen: ${answer} — ${choice.question}`, 200), 11) ??
    fitTitle(turn.clean(choice.question, 200));
  if (title === null) return null;
  const label = (text: string) => `“${unquoted(withoutRemark(text))}”`;
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

/** Nobody was asked: the closing message alone says what was decided, and why. */
function saidDecision({ clean }: Turn, sentence: string): ObservationDraft | null {
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

/** "Pre-built binaries (Recommended)" is what the dialog showed. */
const withoutRemark = (label: string) => label.replace(/\s*\((?:recommended|empfohlen|推奨|推荐)\)\s*$/i, '');

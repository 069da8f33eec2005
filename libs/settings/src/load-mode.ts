import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';
import { codeMode } from './modes/code.js';
import { researchMode } from './modes/research.js';
import { SettingsError } from './settings-error.js';

/** What is worth remembering in one kind of work, and the words for it. */
export interface Mode {
  name: string;
  /** The emoji stands for the type where a record is one line. */
  types: readonly { id: string; emoji: string; meaning: string }[];
  /** The type of an observation that came without one, or with one that is not in `types`. */
  neutralType: string;
  concepts: readonly { id: string; meaning: string }[];
  /** What the observer is told about choosing and wording. */
  guidance: string;
  /** Shown to the observer as the form of an answer; never stored. */
  examples: { observations: readonly ObservationDraft[]; summary: SummaryDraft };
}

const MODES: readonly Mode[] = [codeMode, researchMode];

/** The emojis of all types of all modes, those of the given one first: what another mode recorded is shown as well as its own. */
export function typeEmojis(current: string): Readonly<Record<string, string>> {
  const modes = [...MODES].sort((a, b) => Number(b.name === current) - Number(a.name === current));
  const pairs = modes.flatMap(({ types }) => types.map(({ id, emoji }) => [id, emoji] as const));
  return Object.fromEntries(pairs.filter(([id], at) => pairs.findIndex(([other]) => other === id) === at));
}

/** The mode of that name; `settings/unknown-mode` when there is none. */
export function loadMode(name: string): Mode {
  const mode = MODES.find((candidate) => candidate.name === name);
  if (mode) return mode;
  const known = MODES.map((candidate) => candidate.name).join(', ');
  throw new SettingsError('settings/unknown-mode', `There is no mode "${name}". Known: ${known}.`);
}

import { codeMode } from './modes/code.js';
import type { Mode } from './modes/mode.js';
import { researchMode } from './modes/research.js';
import { SettingsError } from './settings-error.js';

const MODES: readonly Mode[] = [codeMode, researchMode];

/** Returns the emojis of the types of all modes, the current mode first, because records of other modes are shown too. */
export function typeEmojis(current: string): Readonly<Record<string, string>> {
  const modes = [...MODES].sort((a, b) => Number(b.name === current) - Number(a.name === current));
  const pairs = modes.flatMap(({ types }) => types.map(({ id, emoji }) => [id, emoji] as const));
  return Object.fromEntries(pairs.filter(([id], at) => pairs.findIndex(([other]) => other === id) === at));
}

/** Returns the mode with the name. @throws SettingsError `settings/unknown-mode` */
export function loadMode(name: string): Mode {
  const mode = MODES.find((candidate) => candidate.name === name);
  if (mode) return mode;
  const known = MODES.map((candidate) => candidate.name).join(', ');
  throw new SettingsError('settings/unknown-mode', `Unknown mode "${name}". Known modes: ${known}.`);
}

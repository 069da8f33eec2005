import type { Clock } from '@claude-mem/core';
import { typeEmojis, type Settings } from '@claude-mem/settings';

/** Options of every text for an agent. */
export interface RenderOptions {
  now: number;
  timeZone: string;
  emojis: Readonly<Record<string, string>>;
}

/**
 * Returns the options with which texts for agents are rendered.
 * @param timeZone time zone of the reader. @default the time zone of the process
 */
export function renderOptions(
  settings: Settings,
  clock: Clock,
  timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): RenderOptions {
  return { now: clock.now(), timeZone, emojis: typeEmojis(settings.mode) };
}

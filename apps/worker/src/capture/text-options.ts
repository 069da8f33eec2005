import type { Clock } from '@claude-mem/core';
import { typeEmojis, type Settings } from '@claude-mem/settings';

/** What every text for an agent is rendered with. */
export interface TextOptions {
  now: number;
  timeZone: string;
  emojis: Readonly<Record<string, string>>;
}

/** @param timeZone of the reader, where it is known. @default that of the worker */
export function textOptions(
  settings: Settings,
  clock: Clock,
  timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): TextOptions {
  return {
    now: clock.now(),
    timeZone,
    emojis: typeEmojis(settings.mode),
  };
}

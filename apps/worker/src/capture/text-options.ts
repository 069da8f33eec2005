import type { Clock } from '@claude-mem/core';
import { typeEmojis, type Settings } from '@claude-mem/settings';

/** What every text for an agent is rendered with. */
export interface TextOptions {
  now: number;
  timeZone: string;
  emojis: Readonly<Record<string, string>>;
}

export function textOptions(settings: Settings, clock: Clock): TextOptions {
  return {
    now: clock.now(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    emojis: typeEmojis(settings.mode),
  };
}

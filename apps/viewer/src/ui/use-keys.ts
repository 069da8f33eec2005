import { useEffect, useEffectEvent, useRef } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** Maximum time between `g` and the next key. */
const PREFIX_MS = 1_500;

/**
 * Calls the function of a pressed key while the component is mounted. `g f` is `f` soon after `g`. Ignores keys in
 * text fields and dialogs, keys with Ctrl, Alt or Meta, and single characters if the user switched them off.
 */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  const prefixAt = useRef(-Infinity);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
    if (isOther || isTyping(event.target) || isOverPage(event.target)) return;
    if (event.key.length === 1 && !areLetterKeysOn()) return;
    const isAfterG = event.timeStamp - prefixAt.current < PREFIX_MS;
    prefixAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
    keys[isAfterG ? `g ${event.key}` : event.key]?.(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const SETTING = 'claude-mem.letter-keys';

/**
 * Whether single-character shortcuts are enabled. Users of speech input can switch them off, because speech can
 * trigger them.
 */
export const areLetterKeysOn = () => localStorage.getItem(SETTING) !== 'off';

export const switchLetterKeys = (isOn: boolean) => localStorage.setItem(SETTING, isOn ? 'on' : 'off');

const isOverPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

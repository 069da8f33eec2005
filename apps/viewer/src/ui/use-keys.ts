import { useEffect, useEffectEvent, useRef } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** How long `g` waits for the key after it. */
const PREFIX_MS = 1_500;

/**
 * Calls back for keys by their names as long as the component is there, `g f` for `f` soon after `g`: not while one types,
 * not over a dialog, not with Ctrl, Alt or Meta, and no letters where a person switched them off.
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

/** False where a person switched off the keys that are one letter or sign, which speech input presses by mistake. */
export const areLetterKeysOn = () => localStorage.getItem(SETTING) !== 'off';

export const switchLetterKeys = (isOn: boolean) => localStorage.setItem(SETTING, isOn ? 'on' : 'off');

const isOverPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

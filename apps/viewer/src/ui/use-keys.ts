import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** After `g` a key names a page. */
const PREFIX_MS = 1_500;

/**
 * Calls back for keys by their names as long as the component is there: not while one types, not over a dialog, not with
 * Ctrl, Alt or Meta. A key that is used does nothing else.
 */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
    if (isOther || isTyping(event.target) || isOverPage(event.target)) return;
    keys[event.key]?.(event);
  });
  useEffect(() => {
    let prefixAt = -Infinity;
    const listener = (event: KeyboardEvent) => {
      const isAfterPrefix = event.timeStamp - prefixAt < PREFIX_MS;
      prefixAt = event.key === 'g' && !isAfterPrefix ? event.timeStamp : -Infinity;
      if (!isAfterPrefix) onKey(event);
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const isOverPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

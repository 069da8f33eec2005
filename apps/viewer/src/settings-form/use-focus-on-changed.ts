import { useEffect, useRef, type RefObject } from 'react';

/**
 * Moves the focus to the last changed setting when the toolbar with the focused button disappears, because nothing is
 * unsaved.
 * @param changed keys of unsaved settings
 */
export function useFocusOnChanged(form: RefObject<HTMLFormElement | null>, changed: readonly string[]): void {
  const [first = null] = changed;
  const before = useRef(first);
  useEffect(() => {
    const last = before.current;
    before.current = first;
    if (last === null || first !== null || document.activeElement !== document.body) return;
    // the setting may be hidden
    const setting = form.current?.querySelector<HTMLElement>(`[data-setting="${last}"]`);
    (setting ?? form.current?.querySelector('input'))?.focus({ preventScroll: true });
  }, [first, form]);
}

import { useEffect, useRef, type RefObject } from 'react';

/**
 * What saves and discards is there only while something is changed. Who was at it when it goes is then at what was changed.
 * @param changed keys of what is not saved
 */
export function useFocusOnChanged(form: RefObject<HTMLFormElement | null>, changed: readonly string[]): void {
  const [first = null] = changed;
  const before = useRef(first);
  useEffect(() => {
    const last = before.current;
    before.current = first;
    if (last === null || first !== null || document.activeElement !== document.body) return;
    // it may be hidden by now
    const setting = form.current?.querySelector<HTMLElement>(`[data-setting="${last}"]`);
    (setting ?? form.current?.querySelector('input'))?.focus({ preventScroll: true });
  }, [first, form]);
}

/** Maximum time until the list is rendered without the entry. */
const FOCUS_TIMEOUT_MS = 3_000;

/**
 * Remembers the position of the focused entry. Call the returned function before the entry is removed. It focuses the
 * next entry, or the page, if removing `element` loses the focus.
 */
export function keepFocusNear(element: Element): () => void {
  const entry = element.closest('li, [role="listitem"]') ?? element.closest('article');
  const list = entry?.parentElement ?? null;
  const index = entry === null || list === null ? 0 : [...list.children].indexOf(entry);
  const focusNear = () => {
    const next = list?.isConnected ? (list.children[index] ?? list.lastElementChild) : null;
    const inEntry = (what: string) => next?.querySelector<HTMLElement>(what);
    (inEntry('[data-record-link]') ?? inEntry('a, button') ?? document.getElementById('page'))?.focus();
  };
  return () => {
    const until = performance.now() + FOCUS_TIMEOUT_MS;
    const tryFocus = () => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (isLost && !element.isConnected) focusNear();
      else if (performance.now() < until) requestAnimationFrame(tryFocus);
    };
    requestAnimationFrame(tryFocus);
  };
}

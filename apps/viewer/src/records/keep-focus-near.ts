/** What was done is answered by a list that is read and drawn anew, within so many milliseconds. */
const FOCUS_TIMEOUT_MS = 3_000;

/**
 * Notes where focus is in a list before an entry goes; the answer, called when it is about to go, puts focus on what took
 * the entry's place, or on the page, once it was lost with `element`.
 */
export function keepFocusNear(element: Element): () => void {
  const entry = element.closest('li, [role="listitem"]') ?? element.closest('article');
  const list = entry?.parentElement ?? null;
  const index = entry === null || list === null ? 0 : [...list.children].indexOf(entry);
  const putNear = () => {
    const next = list?.isConnected ? (list.children[index] ?? list.lastElementChild) : null;
    const inEntry = (what: string) => next?.querySelector<HTMLElement>(what);
    (inEntry('[data-record-link]') ?? inEntry('a, button') ?? document.getElementById('page'))?.focus();
  };
  return () => {
    const until = performance.now() + FOCUS_TIMEOUT_MS;
    const look = () => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (isLost && !element.isConnected) putNear();
      else if (performance.now() < until) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
}

/**
 * Notes where focus is in a list before an entry goes; the answer puts it on what took the entry's place, or on the page,
 * when it was lost.
 */
export function keepFocusNear(element: Element): () => void {
  const entry = element.closest('li, [role="listitem"]') ?? element.closest('article');
  const list = entry?.parentElement ?? null;
  const index = entry === null || list === null ? 0 : [...list.children].indexOf(entry);
  return () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body && document.activeElement !== null) return;
        const next = list?.isConnected ? (list.children[index] ?? list.lastElementChild) : null;
        const inEntry = (what: string) => next?.querySelector<HTMLElement>(what);
        (inEntry('[data-record-link]') ?? inEntry('a, button') ?? document.getElementById('page'))?.focus();
      }),
    );
}

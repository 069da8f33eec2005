import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isTyping } from './is-typing.js';
import { PAGES } from './pages.js';
import { SEARCH_BOX_ID } from './SearchBox.js';

const ShortcutList = lazy(async () => ({ default: (await import('./ShortcutList.js')).ShortcutList }));

/** How long `g` waits for the key of a page. */
const PREFIX_MS = 1_500;

/** The keys that work on every page, and `?`, which shows them. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const prefixAt = useRef(-Infinity);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isAfterG = event.timeStamp - prefixAt.current < PREFIX_MS;
    prefixAt.current = -Infinity;
    const page = isAfterG ? PAGES.find(({ keyAfterG }) => keyAfterG === event.key) : undefined;
    if (page !== undefined) void navigate({ to: page.to });
    else if (event.key === 'g') prefixAt.current = event.timeStamp;
    else if (event.key === '?') setOpen(true);
    else if (event.key === '/') {
      event.preventDefault();
      document.getElementById(SEARCH_BOX_ID)?.focus();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  return (
    isOpen && (
      <Suspense>
        <ShortcutList onClose={() => setOpen(false)} />
      </Suspense>
    )
  );
}

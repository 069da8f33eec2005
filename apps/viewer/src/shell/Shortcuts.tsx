import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { onDemand } from '../ui/on-demand.js';
import { useKeys } from '../ui/use-keys.js';
import { PAGES } from './pages.js';
import { SEARCH_BOX_ID } from './SearchBox.js';

const ShortcutList = onDemand(async () => (await import('./ShortcutList.js')).ShortcutList);

/** The keys that work on every page, and `?`, which shows them. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  useKeys({
    ...Object.fromEntries(PAGES.map(({ to, keyAfterG }) => [`g ${keyAfterG}`, () => void navigate({ to })])),
    '?': () => setOpen(true),
    '/': (event) => {
      event.preventDefault();
      document.getElementById(SEARCH_BOX_ID)?.focus();
    },
  });
  return (
    isOpen && (
      <Suspense>
        <ShortcutList onClose={() => setOpen(false)} />
      </Suspense>
    )
  );
}

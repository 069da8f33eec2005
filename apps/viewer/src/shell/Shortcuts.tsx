import { useNavigate } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.js';
import { onDemand } from '../ui/on-demand.js';
import { useKeys } from '../ui/use-keys.js';
import { PAGES } from './pages.js';
import { SEARCH_BOX_ID } from './SearchBox.js';

const ShortcutList = onDemand(async () => (await import('./ShortcutList.js')).ShortcutList);

/** Handles the keys that work on every page. A button, or the key `?`, shows them. */
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
    <>
      <Button
        variant="quiet"
        isIcon
        className="not-narrow"
        aria-label="Keys"
        title="Keys"
        onClick={() => setOpen(true)}
      >
        <Keyboard aria-hidden size={16} />
      </Button>
      {isOpen && <ShortcutList onClose={() => setOpen(false)} />}
    </>
  );
}

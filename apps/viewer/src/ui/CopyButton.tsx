import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './Button.js';

/** Copies `text` and announces the result. `label` names the copied text for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  return (
    <>
      <Button variant="quiet" isIcon aria-label={`Copy ${label}`} title="Copy" onClick={() => void copy()}>
        {state === 'copied' ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      </Button>
      <span className="visually-hidden" role="status">
        {MESSAGES[state]}
      </span>
    </>
  );
}

const CONFIRMATION_MS = 1_500;
const MESSAGES = { idle: '', copied: 'Copied', refused: 'The browser did not allow copying' };

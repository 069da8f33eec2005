import { useState } from 'react';
import { Button } from '../../ui/Button.js';

/** The text of a prompt. A long text is cut until the user expands it. */
export function PromptText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > MAX_SHOWN || text.split('\n').length > MAX_LINES;
  const shown = isLong && !isOpen ? firstPart(text) : text;
  return (
    <blockquote>
      <p className="pre">{shown}</p>
      {isLong && (
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </blockquote>
  );
}

const MAX_SHOWN = 1_200;
const MAX_LINES = 14;
const firstPart = (text: string) => `${text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, MAX_SHOWN)}…`;

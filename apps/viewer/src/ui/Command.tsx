import { CopyButton } from './CopyButton.js';
import { useCommandText } from './use-command-text.js';

/** A claude-mem command with a button that copies it. */
export function Command({ children: words }: { children: string }) {
  const text = useCommandText(words);
  return (
    <span className="copyable code">
      <code>{text}</code>
      <CopyButton text={text} label={`claude-mem ${words}`} />
    </span>
  );
}

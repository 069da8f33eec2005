import { Info } from 'lucide-react';
import styles from './Degraded.module.css';

/** What the answer had to do without, in a line. */
export function Degraded({ degraded }: { degraded: readonly { part: string; reason: string }[] }) {
  if (degraded.length === 0) return null;
  return (
    <p className={styles['line']} role="status">
      <Info aria-hidden size={15} />
      <span>{degraded.map(({ part, reason }) => `${WORDS[part] ?? part}: ${reason}.`).join(' ')}</span>
    </p>
  );
}

const WORDS: Record<string, string> = {
  vectors: 'Without search by meaning',
  embedder: 'Without search by meaning',
  lexical: 'Search by words is not complete',
  syntax: 'Read as plain text',
};

import { formatStaleFile, type Freshness } from '@claude-mem/core';
import { FileClock } from 'lucide-react';
import styles from './Supersession.module.css';

/** Files of an observation that were changed, moved or deleted since. */
export function StaleFiles({ freshness }: { freshness: Freshness }) {
  if (freshness.files.length === 0) return null;
  return (
    <div className={styles['lines']}>
      {freshness.files.map((file) => (
        <p key={file.path} className={styles['superseded']}>
          <FileClock aria-hidden size={15} />
          <span>
            {file.path}: {formatStaleFile(file)}
          </span>
        </p>
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';
import styles from './Facts.module.css';

/** Names and what they stand for, one below the other; what is null is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode] | null)[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(
        (fact) =>
          fact !== null && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

import type { ReactNode } from 'react';
import styles from './Card.module.css';

/** A framed part of a page with its heading. */
export function Card({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles['card']} aria-label={title}>
      {title !== undefined && (
        <header className={styles['header']}>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';
import styles from './WithOverview.module.css';

/** Short cards about what a page is of: above the rest, in a wide window beside it. */
export function WithOverview({ overview, children }: { overview: ReactNode; children: ReactNode }) {
  return (
    <div className={`stack ${styles['layout']}`}>
      <div className={`columns slim ${styles['overview']}`}>{overview}</div>
      <div className={`stack ${styles['rest']}`}>{children}</div>
    </div>
  );
}

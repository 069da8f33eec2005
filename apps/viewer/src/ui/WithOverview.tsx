import type { ReactNode } from 'react';
import styles from './WithOverview.module.css';

/** Overview cards above the content, or beside the content in a wide window. */
export function WithOverview({ overview, children }: { overview: ReactNode; children: ReactNode }) {
  return (
    <div className={`stack ${styles['layout']}`}>
      <div className={`columns slim ${styles['overview']}`}>{overview}</div>
      <div className={`stack ${styles['rest']}`}>{children}</div>
    </div>
  );
}

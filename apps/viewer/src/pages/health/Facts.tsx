import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.js';
import styles from './HealthPage.module.css';

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles['facts']}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Where something lies on disk. */
export function Place({ path }: { path: string }) {
  return (
    <span className={styles['place']}>
      <code>{path}</code>
      <CopyButton text={path} label={path} />
    </span>
  );
}

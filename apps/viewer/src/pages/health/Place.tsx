import { CopyButton } from '../../ui/CopyButton.js';
import styles from './HealthPage.module.css';

/** Where something lies on disk. */
export function Place({ path }: { path: string }) {
  return (
    <span className={styles['place']}>
      <code>{path}</code>
      <CopyButton text={path} label={path} />
    </span>
  );
}

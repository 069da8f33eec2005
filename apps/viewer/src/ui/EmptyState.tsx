import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

/** Nothing to show: what would be here, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles['empty']}>
      <Icon aria-hidden size={28} strokeWidth={1.5} />
      <p className={styles['title']}>{title}</p>
      {children !== undefined && <div className={styles['words']}>{children}</div>}
      {actions}
    </div>
  );
}

import { useEffect, type ReactNode } from 'react';
import styles from './Page.module.css';
import { useArrival } from './use-arrival.js';

/** The frame of every page: its one `h1`, what can be done, and what it shows. `isWide`: as wide as the window. */
export function Page({
  title,
  about,
  actions,
  isWide = false,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}) {
  const heading = useArrival();
  useEffect(() => {
    document.title = `${title} · claude-mem`;
  }, [title]);
  return (
    <div className={isWide ? styles['wide'] : styles['page']}>
      <header className={styles['header']}>
        <div className={styles['words']}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about ? <p className={styles['about']}>{about}</p> : null}
        </div>
        {actions ? <div className={styles['actions']}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

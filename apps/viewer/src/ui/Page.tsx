import { useEffect, type ReactNode } from 'react';
import { useHeadingFocus } from './use-heading-focus.js';

/** The frame of every page: its only `h1`, its actions and its content. `isWide`: uses the width of the window. */
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
  const heading = useHeadingFocus();
  useEffect(() => {
    document.title = `${title} · claude-mem`;
  }, [title]);
  return (
    <div className="page stack" data-wide={isWide}>
      <header className="row between">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about ? <p className="muted">{about}</p> : null}
        </div>
        {actions ? <div className="row">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

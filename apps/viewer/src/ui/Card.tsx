import type { ReactNode } from 'react';

/** A framed section of a page with a heading. */
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
    <section className="card stack gap-3" aria-label={title}>
      {title !== undefined && (
        <header className="row between">
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

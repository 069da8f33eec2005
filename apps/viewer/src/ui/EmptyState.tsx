import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Shown instead of an empty list: what is missing, and the next step. */
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
    <div className="stack gap-2 centered muted pad">
      <Icon aria-hidden size={28} strokeWidth={1.5} />
      <p className="title">{title}</p>
      {children !== undefined && <div className="measure">{children}</div>}
      {actions}
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RecordEntry } from './describe-record.js';

/** Links to an observation, or to the session of a summary or prompt. */
export function RecordLink({
  entry: { kind, item },
  className,
  children,
}: {
  entry: RecordEntry;
  className?: string;
  children: ReactNode;
}) {
  const props = { className, children, 'data-record-link': true };
  return kind === 'observation' ? (
    <Link to="/observations/$id" params={{ id: item.id }} {...props} />
  ) : (
    <Link to="/sessions/$id" params={{ id: item.sessionId }} {...props} />
  );
}

import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import { notices } from './notices.js';

const NoticeToasts = lazy(() =>
  import('./NoticeToasts.js').then(
    (part) => ({ default: part.NoticeToasts }),
    (): { default: ComponentType } => ({ default: () => null }),
  ),
);

export function NoticeList() {
  const hasAny = useSyncExternalStore(notices.onFirst, notices.hasAny);
  return hasAny ? (
    <Suspense>
      <NoticeToasts />
    </Suspense>
  ) : null;
}

import { lazy, Suspense, type ComponentType, type MouseEvent, type ReactNode } from 'react';
import { useIsWide } from '../ui/use-is-wide.js';
import { recordKey, type RecordEntry } from './describe-record.js';
import styles from './RecordBeside.module.css';

// the list works without the complete record when it cannot be loaded
const FullRecord = lazy(() =>
  import('./FullRecord.js').then((part) => ({ default: part.FullRecord }), nothing),
);

/** A list of records and, in a wide window, the complete selected record beside it. */
export function RecordBeside({ entry, children }: { entry: RecordEntry | null; children: ReactNode }) {
  const isWide = useIsWide();
  return (
    <div className={styles['layout']} data-beside={(isWide && entry !== null) || undefined}>
      <div className="stack" onClick={isWide ? focusRecord : undefined}>
        {children}
      </div>
      {isWide && entry !== null && (
        <aside key={recordKey(entry)} className={`panel ${styles['beside']}`} aria-label="Selected record">
          <Suspense>
            <FullRecord entry={entry} />
          </Suspense>
        </aside>
      )}
    </div>
  );
}

/** A click on a card selects the record by moving the focus to it. */
function focusRecord({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button, input') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  target.closest('article')?.querySelector<HTMLElement>('[data-record-link]')?.focus({ preventScroll: true });
}

function nothing(): { default: ComponentType<{ entry: RecordEntry }> } {
  return { default: () => null };
}

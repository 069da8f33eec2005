import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { hasFilters, withoutFilter, type Filters } from '../api/filters.js';
import { Button } from '../ui/Button.js';
import { listActiveFilters } from './list-active-filters.js';

/** The active filters, each with a button that removes it. */
export function FilterChips({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const removedAt = useRef<number | null>(null);
  const shown = JSON.stringify(filters);
  useEffect(() => {
    // the pressed button was removed, and the focus with it
    if (removedAt.current === null) return;
    const buttons = bar.current?.querySelectorAll<HTMLElement>('li button') ?? [];
    const next = buttons[Math.min(removedAt.current, buttons.length - 1)];
    removedAt.current = null;
    (next ?? document.getElementById('page'))?.focus();
  }, [shown]);
  const remove = (at: number, left: Filters) => {
    removedAt.current = at;
    onChange(left);
  };
  if (!hasFilters(filters)) return null;
  return (
    <div ref={bar} className="row">
      <ul className="row" aria-label="Active filters">
        {listActiveFilters(filters).map(({ name, value, label, formatted }, at) => (
          <li key={`${name} ${value}`} className="chip">
            <span className="muted">{label}</span>
            <span className="one-line" title={formatted}>
              {formatted}
            </span>
            <button
              type="button"
              aria-label={`Remove ${label} ${formatted}`}
              onClick={() => remove(at, withoutFilter(filters, name, value))}
            >
              <X aria-hidden size={14} />
            </button>
          </li>
        ))}
      </ul>
      <Button variant="quiet" onClick={() => remove(0, {})}>
        Clear all
      </Button>
    </div>
  );
}

import { X } from 'lucide-react';
import { hasFilters, withoutFilter, type Filters } from '../api/filters.js';
import { Button } from '../ui/Button.js';
import { filterWords } from './filter-words.js';
import styles from './FilterChips.module.css';

/** The filters that are on, each with what takes it off; nothing when none is. */
export function FilterChips({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  if (!hasFilters(filters)) return null;
  return (
    <div className={styles['bar']}>
      <ul className={styles['chips']} aria-label="Filters that are on">
        {filterWords(filters).map(({ name, value, label }) => (
          <li key={`${name} ${value}`} className={styles['chip']}>
            <span className={styles['label']}>{label}</span>
            <span className={styles['value']} title={value}>
              {value}
            </span>
            <button
              type="button"
              aria-label={`Remove ${label} ${value}`}
              onClick={() => onChange(withoutFilter(filters, name, value))}
            >
              <X aria-hidden size={14} />
            </button>
          </li>
        ))}
      </ul>
      <Button look="quiet" onClick={() => onChange({})}>
        Clear all
      </Button>
    </div>
  );
}

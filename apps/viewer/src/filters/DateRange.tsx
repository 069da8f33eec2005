import { useId } from 'react';
import type { Filters } from '../api/filters.js';

/** Fields for the first and the last day. Both are optional. */
export function DateRange({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const id = useId();
  return (
    <div className="row gap-3" role="group" aria-label="Date">
      {(['dateFrom', 'dateTo'] as const).map((name) => (
        <div key={name} className="field grow">
          <label htmlFor={`${id}-${name}`}>{name === 'dateFrom' ? 'From' : 'To'}</label>
          <input
            id={`${id}-${name}`}
            type="date"
            value={filters[name] ?? ''}
            {...(name === 'dateFrom' ? { max: filters.dateTo } : { min: filters.dateFrom })}
            onChange={({ target }) => onChange({ ...filters, [name]: target.value })}
          />
        </div>
      ))}
    </div>
  );
}

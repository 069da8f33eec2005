import type { Facets } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { withFilter, withoutFilter, type Filters } from '../api/filters.js';
import { worker } from '../api/worker.js';
import { formatCount } from '../format/format-number.js';
import { feedQuery } from './feed-query.js';
import { FilterCombobox } from './FilterCombobox.js';
import styles from './FilterPanel.module.css';

/**
 * Everything that can be filtered by, each choice with what it would leave.
 * @param facets undefined while they are read
 */
export function FilterPanel({
  filters,
  facets,
  onChange,
}: {
  filters: Filters;
  facets: Facets | undefined;
  onChange: (filters: Filters) => void;
}) {
  const toggle = (name: keyof Filters, value: string, isOn: boolean) =>
    onChange(isOn ? withFilter(filters, name, value) : withoutFilter(filters, name, value));
  const setList = (name: keyof Filters) => (values: readonly string[]) =>
    onChange({ ...withoutFilters(filters, name), ...(values.length > 0 ? { [name]: [...values] } : {}) });
  const projects = facets?.projects.map(({ name, count }) => ({ value: name, count })) ?? [];
  return (
    <div className={styles['panel']}>
      <Choices
        label="Kind"
        chosen={filters.kind}
        choices={facets?.kinds}
        onToggle={(value, isOn) => toggle('kind', value, isOn)}
      />
      <Choices
        label="Type"
        chosen={filters.type}
        choices={facets?.types}
        onToggle={(value, isOn) => toggle('type', value, isOn)}
      />
      <Choices
        label="Host"
        chosen={filters.host}
        choices={facets?.hosts}
        onToggle={(value, isOn) => toggle('host', value, isOn)}
      />
      <FilterCombobox
        label="Project"
        chosen={filters.project ?? []}
        choices={projects}
        onChange={setList('project')}
      />
      <FilterCombobox
        label="Concept"
        chosen={filters.concepts ?? []}
        choices={facets?.concepts ?? []}
        onChange={setList('concepts')}
      />
      <Files filters={filters} facets={facets} onChange={setList('files')} />
      <Dates filters={filters} onChange={onChange} />
    </div>
  );
}

function Choices({
  label,
  chosen = [],
  choices = [],
  onToggle,
}: {
  label: string;
  chosen?: readonly string[] | undefined;
  choices?: readonly { value: string; count: number }[] | undefined;
  onToggle: (value: string, isOn: boolean) => void;
}) {
  const missing = chosen.filter((value) => !choices.some((choice) => choice.value === value));
  const all = [...choices, ...missing.map((value) => ({ value, count: 0 }))];
  if (all.length === 0) return null;
  return (
    <fieldset className={styles['field']}>
      <legend>{label}</legend>
      <div className={styles['choices']}>
        {all.map(({ value, count }) => (
          <label key={value} className={styles['choice']}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) => onToggle(value, target.checked)}
            />
            <span className={styles['value']}>{value}</span>
            <span className={styles['count']}>{formatCount(count)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** There are too many to be given with the rest: more are asked for by what is typed. */
function Files({
  filters,
  facets,
  onChange,
}: {
  filters: Filters;
  facets: Facets | undefined;
  onChange: (files: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const query = { ...feedQuery(filters), fileText: typed };
  const found = useQuery({
    queryKey: ['facets', { query }],
    queryFn: ({ signal }) => worker.facets({ query }, { signal }),
    enabled: typed !== '',
  });
  return (
    <FilterCombobox
      label="File or folder"
      chosen={filters.files ?? []}
      choices={(typed === '' ? undefined : found.data?.files) ?? facets?.files ?? []}
      onChange={onChange}
      onTyped={setTyped}
      takesOther
    />
  );
}

function Dates({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const id = useId();
  return (
    <div className={styles['dates']}>
      {(['dateFrom', 'dateTo'] as const).map((name) => (
        <div key={name} className={styles['field']}>
          <label htmlFor={`${id}-${name}`}>{name === 'dateFrom' ? 'From' : 'To'}</label>
          <input
            id={`${id}-${name}`}
            type="date"
            className={styles['date']}
            value={filters[name] ?? ''}
            {...(name === 'dateFrom' ? { max: filters.dateTo } : { min: filters.dateFrom })}
            onChange={({ target }) =>
              onChange({
                ...withoutFilters(filters, name),
                ...(target.value === '' ? {} : { [name]: target.value }),
              })
            }
          />
        </div>
      ))}
    </div>
  );
}

function withoutFilters(filters: Filters, name: keyof Filters): Filters {
  const { [name]: _, ...others } = filters;
  return others;
}

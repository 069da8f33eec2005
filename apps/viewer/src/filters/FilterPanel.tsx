import type { Facets } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { withFilter, withoutFilter, type Filters } from '../api/filters.js';
import { worker } from '../api/worker.js';
import { hostLabel } from '../format/host-label.js';
import { DateRange } from './DateRange.js';
import { feedQuery } from './feed-query.js';
import { FilterChoices } from './FilterChoices.js';
import { FilterCombobox } from './FilterCombobox.js';

export interface FilterPanelProps {
  filters: Filters;
  /** Undefined while loading. */
  facets: Facets | undefined;
  onChange: (filters: Filters) => void;
}

const CHECKBOX_FILTERS = [
  { name: 'kind', facet: 'kinds', label: 'Kind' },
  { name: 'type', facet: 'types', label: 'Type' },
  { name: 'host', facet: 'hosts', label: 'Host' },
] as const;

/** All filters. Each choice shows its number of matching records. */
export function FilterPanel({ filters, facets, onChange }: FilterPanelProps) {
  const setList = (name: keyof Filters) => (values: readonly string[]) =>
    onChange({ ...filters, [name]: [...values] });
  const projects = facets?.projects.map(({ name, count }) => ({ value: name, count })) ?? [];
  return (
    <div className="stack">
      {CHECKBOX_FILTERS.map(({ name, facet, label }) => (
        <FilterChoices
          key={name}
          label={label}
          choices={choicesOf(facets?.[facet] ?? [], filters[name] ?? []).map((choice) => ({
            ...choice,
            label: name === 'host' ? hostLabel(choice.value) : choice.value,
          }))}
          onToggle={(value, isOn) => onChange((isOn ? withFilter : withoutFilter)(filters, name, value))}
        />
      ))}
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
      <DateRange filters={filters} onChange={onChange} />
    </div>
  );
}

/**
 * Keeps the order of the choices, so that nothing moves on a click. Chosen values without records are added at the
 * end.
 */
function choicesOf(found: readonly { value: string; count: number }[], chosen: readonly string[]) {
  const missing = chosen.filter((value) => !found.some((choice) => choice.value === value));
  return [...found, ...missing.map((value) => ({ value, count: 0 }))].map((choice) => ({
    ...choice,
    isChosen: chosen.includes(choice.value),
  }));
}

/** The facets contain only the most frequent files. The others are requested by the typed text. */
function Files({
  filters,
  facets,
  onChange,
}: Omit<FilterPanelProps, 'onChange'> & { onChange: (files: readonly string[]) => void }) {
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
      allowsOther
    />
  );
}

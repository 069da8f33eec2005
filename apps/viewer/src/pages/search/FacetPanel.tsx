import type { SearchReply } from '@claude-mem/worker-protocol';
import { useId, useState } from 'react';
import { withFilter, withoutFilter, type Filters } from '../../api/filters.js';
import { formatCount } from '../../format/format-number.js';
import { facetChoices, type FacetName } from './facet-choices.js';
import styles from './FacetPanel.module.css';

type Facets = NonNullable<SearchReply['facets']>;

const GROUPS = [
  { name: 'project', title: 'Project' },
  { name: 'type', title: 'Type' },
  { name: 'concepts', title: 'Concept' },
  { name: 'files', title: 'File' },
] as const satisfies { name: FacetName; title: string }[];

/** What the search can be narrowed by, with how many of the best hits each leaves. */
export function FacetPanel({
  facets,
  filters,
  onChange,
}: {
  facets: Facets | undefined;
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  return (
    <div className={styles['panel']}>
      {GROUPS.map(({ name, title }) => (
        <Group key={name} name={name} title={title} facets={facets} filters={filters} onChange={onChange} />
      ))}
      <Dates filters={filters} onChange={onChange} />
    </div>
  );
}

const SHOWN = 6;

function Group({
  name,
  title,
  facets,
  filters,
  onChange,
}: {
  name: FacetName;
  title: string;
  facets: Facets | undefined;
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const choices = facetChoices(name, { facets, chosen: filters[name] ?? [] });
  if (choices.length === 0) return null;
  const first = choices.filter(({ isChosen }, index) => isChosen || index < SHOWN);
  const shown = isWhole ? choices : first;
  const hidden = choices.length - first.length;
  return (
    <fieldset className={styles['group']}>
      <legend>{title}</legend>
      {shown.map(({ value, count, isChosen }) => (
        <label key={value} title={value}>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => onChange((isChosen ? withoutFilter : withFilter)(filters, name, value))}
          />
          <span className={styles['value']} data-name={name}>
            <bdi>{value}</bdi>
          </span>
          {count !== null && <span className={styles['count']}>{formatCount(count)}</span>}
        </label>
      ))}
      {hidden > 0 && (
        <button
          type="button"
          className={styles['all']}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `${hidden} more`}
        </button>
      )}
    </fieldset>
  );
}

function Dates({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const id = useId();
  const field = (name: 'dateFrom' | 'dateTo', label: string) => (
    <>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        type="date"
        value={filters[name] ?? ''}
        onChange={({ target }) => onChange({ ...filters, [name]: target.value })}
      />
    </>
  );
  return (
    <fieldset className={styles['group']}>
      <legend>Date</legend>
      <div className={styles['dates']}>
        {field('dateFrom', 'From')}
        {field('dateTo', 'To')}
      </div>
    </fieldset>
  );
}

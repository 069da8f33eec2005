import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { hasFilters, type Filters } from '../../api/filters.js';
import { useStreamEvent } from '../../api/use-stream.js';
import { FilterChips } from '../../filters/FilterChips.js';
import { useSearchText } from '../../shell/use-search-text.js';
import { Button } from '../../ui/Button.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { useIsWide } from '../../ui/use-is-wide.js';
import { Degraded } from './Degraded.js';
import { FacetPanel } from './FacetPanel.js';
import { NothingFound } from './NothingFound.js';
import { kindOf, KINDS, searchQuery, toSearch, type ShownKind } from './search-query.js';
import { SearchResults } from './SearchResults.js';
import styles from './SearchPage.module.css';

export function SearchPage() {
  const { q: _, ...filters } = useSearch({ from: '/search' });
  const { value, text } = useSearchText();
  const search = toSearch(useDeferredValue(value), filters);
  const answer = useInfiniteQuery(searchQuery(search));
  const [isFiltering, setFiltering] = useState(false);
  const navigate = useNavigate();
  const { data, isPlaceholderData } = answer;
  const first = data?.pages[0];
  // keeps the previous facets while the next response loads, so that the filters do not move
  const [facets, setFacets] = useState(first?.facets);
  if (first?.facets !== undefined && first.facets !== facets) setFacets(first.facets);

  const narrow = (next: Filters) => {
    text.flush();
    void navigate({ to: '/search', search: { ...next, q: value }, replace: true });
  };
  useStreamEvent((event) => {
    if (event.type === 'memory-forgotten' || event.type === 'stream-reset') void answer.refetch();
  });

  const { kind: _kind, ...activeFilters } = filters;
  const active = Object.values(activeFilters).flat().length;
  return (
    <Page title="Search" isWide={useIsWide()}>
      <div className="split start">
        <aside className="stack gap-3" aria-label="Search filters">
          <Button
            className={styles['toggle'] ?? ''}
            aria-expanded={isFiltering}
            aria-controls="search-filters"
            onClick={() => setFiltering(!isFiltering)}
          >
            {active === 0 ? 'Filters' : `Filters (${active})`}
          </Button>
          <div id="search-filters" className={styles['filters']} data-open={isFiltering}>
            <FacetPanel facets={facets} filters={filters} onChange={narrow} />
          </div>
        </aside>
        <section className="stack gap-3" aria-label="Found" aria-busy={isPlaceholderData}>
          <h2 className="visually-hidden">Found</h2>
          <KindChoice kind={kindOf(filters)} onChange={(kind) => narrow({ ...filters, kind: [kind] })} />
          <Tip text={value} />
          <FilterChips
            filters={activeFilters}
            onChange={(next) => narrow({ kind: filters.kind ?? [], ...next })}
          />
          <StaleNotice query={answer} />
          {first !== undefined && (
            <Degraded
              degraded={first.degraded}
              isSemanticOnly={first.strategy === 'semantic' && first.items.length > 0}
              hasFilters={hasFilters(activeFilters)}
            />
          )}
          {data === undefined ? (
            <NoAnswer query={answer} />
          ) : data.pages.every(({ items }) => items.length === 0) ? (
            <NothingFound
              search={search}
              hasFilters={hasFilters(activeFilters)}
              onClear={() => narrow({ kind: filters.kind ?? [] })}
            />
          ) : (
            <SearchResults answer={answer} />
          )}
        </section>
      </div>
    </Page>
  );
}

/** Selects the kind of record to search for. */
function KindChoice({ kind, onChange }: { kind: ShownKind; onChange: (kind: ShownKind) => void }) {
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">Search for</legend>
      {KINDS.map((one) => (
        <label key={one.kind}>
          <input
            type="radio"
            name="kind"
            checked={one.kind === kind}
            onChange={() => onChange(one.kind)}
            className="visually-hidden"
          />
          {one.label}
        </label>
      ))}
    </fieldset>
  );
}

/** Shown while no text is entered. Also links to the observation when the text is an id. */
function Tip({ text }: { text: string }) {
  const id = /^\s*#?(\d{1,15})\s*$/.exec(text)?.[1];
  if (id !== undefined && Number(id) > 0)
    return (
      <p className="muted small">
        <Link to="/observations/$id" params={{ id: Number(id) }}>
          Open #{Number(id)}
        </Link>
      </p>
    );
  if (text.trim() !== '') return null;
  return (
    <p className="muted small">
      Newest first. Type words, a part of a path, or an error message. <code>#12</code> opens an observation.
    </p>
  );
}

import type { FoundItem } from '@claude-mem/worker-protocol';
import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { RecordBeside } from '../../records/RecordBeside.js';
import { SEARCH_BOX_ID, SEARCH_RESULTS_ID } from '../../shell/SearchBox.js';
import { Button } from '../../ui/Button.js';
import { Hit } from './Hit.js';
import { SelectionBar } from './SelectionBar.js';
import type { SearchPage } from './search-query.js';
import styles from './SearchResults.module.css';

/** Search results, best first, with a button for more. The arrow keys move between the results and the search box. */
export function SearchResults({
  answer,
}: {
  answer: Pick<
    UseInfiniteQueryResult<InfiniteData<SearchPage>>,
    'data' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'isPlaceholderData'
  > & { fetchNextPage: () => Promise<unknown> };
}) {
  const [selected, setSelected] = useState<ReadonlySet<number> | null>(null);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage } =
    answer;
  const pages = data?.pages ?? [];
  const count = pages.reduce((sum, { items }) => sum + items.length, 0);

  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (!isPlain || !(event.target instanceof HTMLElement)) return;
    const box = document.getElementById(SEARCH_BOX_ID);
    if (event.key === 'Escape') return box?.focus();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-record-link]') ?? [])];
    const entries = links.map((link) => link.closest('li'));
    const next = entries.indexOf(event.target.closest('li')) + step;
    (next < 0 ? box : links[next])?.focus();
  };

  const hits = pages.flatMap(({ items }) => items);
  const shown = hits.find((hit) => hitKey(hit) === focusedKey) ?? hits[0];
  const observations = pages.flatMap(({ items }) =>
    items.flatMap(({ kind, item }) => (kind === 'observation' ? [item] : [])),
  );
  const toggle = (id: number) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };

  // after "Show more", the focus moves to the first new result as soon as it is rendered
  const focusTarget = useRef<{ index: number; from: Element | null } | null>(null);
  useEffect(() => {
    const next = focusTarget.current;
    if (next === null || count <= next.index) return;
    focusTarget.current = null;
    if (document.activeElement !== next.from && document.activeElement !== document.body) return;
    list.current?.querySelectorAll<HTMLElement>('[data-record-link]')[next.index]?.focus();
  }, [count]);
  const more = () => {
    focusTarget.current = { index: count, from: document.activeElement };
    void fetchNextPage();
  };

  return (
    <>
      <p className="visually-hidden" role="status">
        {isPlaceholderData ? 'Searching' : `${count} shown${hasNextPage ? ', there are more' : ''}`}
      </p>
      {observations.length > 0 && (
        <SelectionBar observations={observations} selected={selected} onChange={setSelected} />
      )}
      <RecordBeside entry={shown?.kind === 'session' ? null : (shown ?? null)}>
        <ol
          id={SEARCH_RESULTS_ID}
          ref={list}
          className="stack gap-2"
          data-updating={isPlaceholderData || undefined}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => setFocusedKey(target.closest('li')?.dataset['hit'] ?? null)}
        >
          {pages.flatMap(({ items, terms, search }, page) =>
            items.map((hit) => (
              <li
                key={hitKey(hit)}
                className={`lazy ${styles['hit']}`}
                data-hit={hitKey(hit)}
                data-shown={hit === shown || undefined}
                data-selecting={selected !== null || undefined}
              >
                {selected !== null && hit.kind === 'observation' && (
                  <input
                    type="checkbox"
                    aria-label={`Select #${hit.item.id}`}
                    checked={selected.has(hit.item.id)}
                    onChange={() => toggle(hit.item.id)}
                  />
                )}
                <Hit hit={hit} terms={terms} search={search} offset={page * search.limit} />
              </li>
            )),
          )}
        </ol>
        {isFetchNextPageError && <p role="alert">Loading more failed.</p>}
        {hasNextPage && (
          <Button
            className="middle"
            disabled={isFetchingNextPage || isPlaceholderData}
            focusableWhenDisabled
            onClick={more}
          >
            {isFetchNextPageError ? 'Try again' : 'Show more'}
          </Button>
        )}
      </RecordBeside>
    </>
  );
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

const hitKey = ({ kind, item }: FoundItem) => `${kind}-${item.id}`;

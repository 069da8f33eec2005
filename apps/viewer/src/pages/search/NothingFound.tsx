import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX, Sprout } from 'lucide-react';
import { statsQuery } from '../../api/stats-query.js';
import { EmptyMemory } from '../../records/EmptyMemory.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { KINDS, type Search } from './search-query.js';

/** Shown when a search has no results: suggestions, or setup steps when the memory is empty. */
export function NothingFound({
  search,
  hasFilters,
  onClear,
}: {
  search: Search;
  hasFilters: boolean;
  onClear: () => void;
}) {
  const { data: stored, isPending } = useQuery({ ...statsQuery, staleTime: 0 });
  if (isPending) return null;
  if (stored && stored.observations + stored.summaries + stored.prompts === 0) return <EmptyMemory />;
  const what = KINDS.find(({ kind }) => kind === search.kind)?.label.toLowerCase() ?? 'records';
  if (search.query === undefined && !hasFilters)
    return (
      <EmptyState icon={Sprout} title={`No ${what} yet`}>
        Records appear while an agent works with the hooks installed. The <Link to="/">feed</Link> shows new
        records instantly.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title={`No ${what} found`}
      actions={hasFilters && <Button onClick={onClear}>Clear the filters</Button>}
    >
      {hasFilters
        ? 'No record matches the filters. Clear the filters, or use fewer words.'
        : 'Try fewer or other words, a part of a path, or another kind of record above.'}
    </EmptyState>
  );
}

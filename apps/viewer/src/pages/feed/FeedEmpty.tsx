import { FilterX } from 'lucide-react';
import { hasFilters, type Filters } from '../../api/filters.js';
import { EmptyMemory } from '../../records/EmptyMemory.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';

export function FeedEmpty({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  if (!hasFilters(filters)) return <EmptyMemory />;
  return (
    <EmptyState
      icon={FilterX}
      title="No matching records"
      actions={<Button onClick={onClear}>Clear filters</Button>}
    >
      New matching records appear here instantly.
    </EmptyState>
  );
}

import { Activity, FilterX } from 'lucide-react';
import { hasFilters, type Filters } from '../../api/filters.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import styles from './FeedEmpty.module.css';

export function FeedEmpty({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  if (hasFilters(filters))
    return (
      <EmptyState
        icon={FilterX}
        title="Nothing passes these filters"
        actions={<Button onClick={onClear}>Clear filters</Button>}
      >
        What comes and passes them will be shown here.
      </EmptyState>
    );
  return (
    <EmptyState icon={Activity} title="The memory is empty">
      <p>It fills while you work. What comes is shown here at once.</p>
      <ol className={styles['steps']}>
        <li>
          Connect a host, if you have not yet: <code>claude-mem install --host claude-code</code>, or with the
          name of yours
        </li>
        <li>Start a session in it and let it do something: a prompt is here at once, observations follow.</li>
        <li>
          Or save something yourself: <code>claude-mem remember &quot;We deploy from main&quot;</code>
        </li>
      </ol>
    </EmptyState>
  );
}

import type { SearchReply } from '@claude-mem/worker-protocol';
import { withFilter, withoutFilter, type Filters } from '../../api/filters.js';
import { DateRange } from '../../filters/DateRange.js';
import { FilterChoices } from '../../filters/FilterChoices.js';
import { hostLabel } from '../../format/host-label.js';
import { facetChoices, type FacetName } from './facet-choices.js';

const GROUPS = [
  { name: 'project', title: 'Project' },
  { name: 'host', title: 'Host' },
  { name: 'type', title: 'Type' },
  { name: 'concepts', title: 'Concept' },
  { name: 'files', title: 'File' },
] as const satisfies { name: FacetName; title: string }[];
const MAX_COLLAPSED = 6;

/** Filters for the search results. Each value shows its number of results among the best ones. */
export function FacetPanel({
  facets,
  filters,
  onChange,
}: {
  facets: SearchReply['facets'];
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  return (
    <div className="stack">
      {GROUPS.map(({ name, title }) => (
        <FilterChoices
          key={name}
          label={title}
          choices={facetChoices(name, { facets, chosen: filters[name] ?? [] }).map((choice) => ({
            ...choice,
            label: name === 'host' ? hostLabel(choice.value) : choice.value,
          }))}
          maxShown={MAX_COLLAPSED}
          arePaths={name === 'files'}
          onToggle={(value, isOn) => onChange((isOn ? withFilter : withoutFilter)(filters, name, value))}
        />
      ))}
      <DateRange filters={filters} onChange={onChange} />
    </div>
  );
}

import { SlidersHorizontal } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../ui/Button.js';
import { onDemand } from '../ui/on-demand.js';
import { useKeys } from '../ui/use-keys.js';
import type { FilterPanelProps } from './FilterPanel.js';
import { listActiveFilters } from './list-active-filters.js';

const FilterPopover = onDemand(async () => (await import('./FilterPopover.js')).FilterPopover);

/** The button that opens the filters. The key `f` opens them too. */
export function FilterMenu(panel: FilterPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isOn = listActiveFilters(panel.filters).length;
  useKeys({
    f: (event) => {
      event.preventDefault();
      setOpen(true);
    },
  });
  return (
    <>
      <Button
        ref={button}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-keyshortcuts="f"
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden size={14} />
        Filters{isOn > 0 && ` (${isOn})`}
      </Button>
      {isOpen && <FilterPopover anchor={button} onClose={() => setOpen(false)} {...panel} />}
    </>
  );
}

import type { Observation } from '@claude-mem/core';
import { ListChecks, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { formatCount } from '../../format/format-number.js';
import { recordActions } from '../../records/record-actions.js';
import { Button } from '../../ui/Button.js';

/**
 * Toggles the selection of several results and forgets the selected ones. `selected` is null while selection is off.
 */
export function SelectionBar({
  observations,
  selected,
  onChange,
}: {
  observations: readonly Observation[];
  selected: ReadonlySet<number> | null;
  onChange: (selected: ReadonlySet<number> | null) => void;
}) {
  const toggle = useRef<HTMLButtonElement>(null);
  const chosen = observations.filter(({ id }) => selected?.has(id));
  const areAll = chosen.length === observations.length;
  const forget = async () => {
    if (!(await recordActions.forget(chosen))) return;
    onChange(null);
    toggle.current?.focus();
  };
  return (
    <div className="row" role="group" aria-label="Selected observations">
      <Button
        ref={toggle}
        variant="quiet"
        aria-pressed={selected !== null}
        onClick={() => onChange(selected === null ? new Set() : null)}
      >
        <ListChecks aria-hidden size={15} />
        {selected === null ? 'Select' : 'Done'}
      </Button>
      {selected !== null && (
        <>
          <Button
            variant="quiet"
            onClick={() => onChange(new Set(areAll ? [] : observations.map(({ id }) => id)))}
          >
            {areAll ? 'Select none' : 'Select all shown'}
          </Button>
          <span role="status" className="end muted small">
            {formatCount(chosen.length)} selected
          </span>
          <Button disabled={chosen.length === 0} focusableWhenDisabled onClick={() => void forget()}>
            <Trash2 aria-hidden size={15} />
            Forget
          </Button>
        </>
      )}
    </div>
  );
}

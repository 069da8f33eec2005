import { useState } from 'react';
import { formatCount } from '../format/format-number.js';

export interface FilterChoice {
  value: string;
  /** Shown instead of the value. */
  label?: string;
  /** Number of matching records. Null when unknown. */
  count: number | null;
  isChosen: boolean;
}

/**
 * Checkboxes for the values of one filter. Renders nothing without choices.
 * @param maxShown number of choices before the button "more"; each choice is cut to one line
 * @param arePaths cuts choices at their start, because the end of a path is more useful
 */
export function FilterChoices({
  label,
  choices,
  maxShown,
  arePaths = false,
  onToggle,
}: {
  label: string;
  choices: readonly FilterChoice[];
  maxShown?: number;
  arePaths?: boolean;
  onToggle: (value: string, isOn: boolean) => void;
}) {
  const [isExpanded, setExpanded] = useState(false);
  if (choices.length === 0) return null;
  const first = choices.filter(({ isChosen }, index) => isChosen || index < (maxShown ?? Infinity));
  const hidden = choices.length - first.length;
  return (
    <fieldset className={maxShown === undefined ? 'row gap-4' : 'stack gap-0 small'}>
      <legend>{label}</legend>
      {(isExpanded ? choices : first).map(({ value, label: words = value, count, isChosen }) => (
        <label key={value} className="check" title={words}>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={({ target }) => onToggle(value, target.checked)}
          />
          <span
            className={maxShown === undefined ? undefined : `grow one-line ${arePaths ? 'mono tiny' : ''}`}
            data-path={arePaths}
          >
            <bdi>{words}</bdi>
          </span>
          {count !== null && <span className="muted tiny">{formatCount(count)}</span>}
        </label>
      ))}
      {hidden > 0 && (
        <button
          type="button"
          className="link small"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show less' : `${hidden} more`}
        </button>
      )}
    </fieldset>
  );
}

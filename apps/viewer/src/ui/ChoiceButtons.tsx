import type { ReactNode } from 'react';
import { Button } from './Button.js';

/** A group of buttons that selects one of a few values. */
export function ChoiceButtons<Value extends string | number | null>({
  label,
  value,
  options,
  onChange,
}: {
  /** Name of the group for screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  return (
    <div className="choice" role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          variant="quiet"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}

import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button } from '../ui/Button.js';
import styles from './SettingControl.module.css';

/** The items of a list in their order, with buttons that move an item one position earlier or later. */
export function ListOrder({
  label,
  items,
  disabled,
  onChange,
}: {
  /** Name of the list for screen readers. */
  label: string;
  items: readonly string[];
  disabled: boolean;
  onChange: (items: readonly string[]) => void;
}) {
  return (
    <ol className={`marked ${styles['order']}`} aria-label={label}>
      {items.map((item, index) => (
        // keyed by position, because an element that moves in the document loses the focus
        <li key={index}>
          <span>{item}</span>
          {DIRECTIONS.map(({ name, step, icon: Icon }) => (
            <Button
              key={name}
              variant="quiet"
              isIcon
              aria-label={`Move ${item} ${name}`}
              title={`Move ${name}`}
              data-move={name}
              disabled={disabled || items[index + step] === undefined}
              focusableWhenDisabled={!disabled}
              onClick={({ currentTarget }) => {
                const row = currentTarget.closest('ol')?.children[index + step];
                row?.querySelector<HTMLElement>(`[data-move="${name}"]`)?.focus();
                onChange(swap(items, index, index + step));
              }}
            >
              <Icon aria-hidden size={14} />
            </Button>
          ))}
        </li>
      ))}
    </ol>
  );
}

const DIRECTIONS = [
  { name: 'earlier', step: -1, icon: ArrowUp },
  { name: 'later', step: 1, icon: ArrowDown },
] as const;

function swap(items: readonly string[], one: number, other: number): readonly string[] {
  return items.map(
    (item, index) => (index === one ? items[other] : index === other ? items[one] : item) ?? item,
  );
}

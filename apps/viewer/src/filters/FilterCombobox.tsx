import { Combobox } from '@base-ui/react/combobox';
import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import { formatCount } from '../format/format-number.js';
import styles from './FilterCombobox.module.css';

/**
 * A combobox for a long list of choices. Several can be selected.
 * @param onTyped called with the typed text, for choices that depend on it
 * @param allowsOther whether the typed text can be selected although it is not a choice
 */
export function FilterCombobox({
  label,
  chosen,
  choices,
  onChange,
  onTyped,
  allowsOther = false,
}: {
  label: string;
  chosen: readonly string[];
  choices: readonly { value: string; count: number }[];
  onChange: (chosen: string[]) => void;
  onTyped?: (text: string) => void;
  allowsOther?: boolean;
}) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const changeText = (text: string) => {
    setTyped(text);
    onTyped?.(text.trim());
  };
  const counts = new Map<string, number>();
  for (const { value, count } of choices) counts.set(value, (counts.get(value) ?? 0) + count);
  const other = typed.trim();
  const isOther = allowsOther && other !== '' && !counts.has(other) && !chosen.includes(other);
  const items = [
    ...(isOther && other.endsWith('/') ? [other] : []),
    ...counts.keys(),
    ...chosen.filter((value) => !counts.has(value)),
    ...(isOther && !other.endsWith('/') ? [other] : []),
  ];
  return (
    <Combobox.Root
      items={items}
      multiple
      autoHighlight
      value={[...chosen]}
      onValueChange={(values, details) => {
        // Escape closes the popup around this field and must not remove a filter
        if (details.reason === 'escape-key') {
          details.cancel();
          details.allowPropagation();
          return;
        }
        changeText('');
        onChange(values);
      }}
      inputValue={typed}
      onInputValueChange={changeText}
    >
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <Combobox.Chips className={`row gap-1 ${styles['box']}`}>
          {chosen.map((value) => (
            <Combobox.Chip key={value} className="chip" aria-label={value}>
              <span className="one-line">{value}</span>
              <Combobox.ChipRemove aria-label={`Remove ${value}`}>
                <X aria-hidden size={13} />
              </Combobox.ChipRemove>
            </Combobox.Chip>
          ))}
          <Combobox.Input id={id} className={styles['input']} placeholder={chosen.length > 0 ? '' : 'Any'} />
        </Combobox.Chips>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner className={styles['positioner']} sideOffset={4}>
          <Combobox.Popup className={`raised ${styles['popup']}`}>
            <Combobox.Empty>
              <p className="muted tiny pad">None</p>
            </Combobox.Empty>
            <Combobox.List className={styles['list']}>
              {(value: string) => (
                <Combobox.Item key={value} value={value} className={styles['item']}>
                  <span>
                    <Combobox.ItemIndicator>
                      <Check aria-hidden size={14} />
                    </Combobox.ItemIndicator>
                  </span>
                  {value}
                  {counts.has(value) && (
                    <span className="muted tiny">{formatCount(counts.get(value) ?? 0)}</span>
                  )}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

import { useId } from 'react';
import type { Entered } from './entered-settings.js';
import { ListOrder } from './ListOrder.js';
import { descriptionProps, SettingDescription } from './SettingDescription.js';
import type { SettingItem } from './settings-query.js';
import styles from './SettingControl.module.css';

interface Props {
  item: SettingItem;
  value: Entered;
  /** Problem with the value, as a sentence. */
  problem?: string | undefined;
  /** True when the value differs from the stored value. */
  isChanged?: boolean;
  /** Source of the value, as a sentence. */
  origin?: string | undefined;
  onChange: (value: Entered) => void;
}

/** One setting with the control for its kind. For secrets, use `SecretControl`. */
export function SettingControl({ item, value, problem, isChanged = false, origin, onChange }: Props) {
  const { key, kind, label, source, choices } = item;
  const id = useId();
  const isGroup = kind === 'list' && choices !== undefined;
  const about = descriptionProps(id, problem);
  const control = { id, disabled: source === 'env', 'data-setting': key };
  const field = { ...control, ...about, 'aria-invalid': problem !== undefined };
  return (
    <div
      className={styles['setting']}
      data-kind={kind}
      data-changed={isChanged}
      {...(isGroup ? { ...about, role: 'group', 'aria-labelledby': `${id}-label` } : {})}
    >
      <div className={`row ${styles['head']}`}>
        {isGroup ? (
          <span id={`${id}-label`} className="strong">
            {label}
          </span>
        ) : (
          <label htmlFor={id} className="strong">
            {label}
          </label>
        )}
        {isChanged && <span className="tag">changed</span>}
      </div>
      {kind === 'boolean' ? (
        <input
          {...field}
          type="checkbox"
          role="switch"
          className={styles['switch']}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      ) : kind === 'choice' ? (
        <select
          {...field}
          className={styles['control']}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        >
          {choices?.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : isGroup ? (
        <Choices item={item} value={value} control={control} onChange={onChange} />
      ) : kind === 'list' ? (
        <textarea
          {...field}
          className={styles['control']}
          rows={2}
          spellCheck={false}
          value={linesOf(value).join('\n')}
          onChange={({ target }) => onChange(target.value.split('\n'))}
        />
      ) : (
        <input
          {...field}
          className={styles['control']}
          type="text"
          inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <SettingDescription id={id} item={item} problem={problem} origin={origin} />
    </div>
  );
}

function Choices({
  item: { label, choices = [], isOrdered = false },
  value,
  control: { id, ...control },
  onChange,
}: {
  item: SettingItem;
  value: Entered;
  control: { id: string; disabled: boolean; 'data-setting': string };
  onChange: (value: Entered) => void;
}) {
  const chosen = linesOf(value);
  const withChoice = (choice: string) =>
    isOrdered ? [...chosen, choice] : choices.filter((one) => one === choice || chosen.includes(one));
  return (
    <div className={styles['control']}>
      <div className="row gap-4">
        {choices.map((choice) => (
          <label key={choice} className="check" htmlFor={`${id}-${choice}`}>
            <input
              {...control}
              id={`${id}-${choice}`}
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={({ target }) =>
                onChange(target.checked ? withChoice(choice) : chosen.filter((one) => one !== choice))
              }
            />
            {choice}
          </label>
        ))}
      </div>
      {isOrdered && chosen.length > 1 && (
        <ListOrder
          label={`Order of ${label}`}
          items={chosen}
          disabled={control.disabled}
          onChange={onChange}
        />
      )}
    </div>
  );
}

const linesOf = (value: Entered): readonly string[] => (typeof value === 'object' ? value : []);

import { useId, useState } from 'react';
import { Button } from '../ui/Button.js';
import { KeyLine } from './SettingControl.js';
import type { SettingItem } from './settings-query.js';
import styles from './SettingControl.module.css';

/**
 * A key or token: what is stored never comes to the browser in full, so it can be kept, replaced or removed.
 * @param entered null: as it is; empty: to be removed
 */
export function SecretControl({
  item,
  entered,
  problem,
  origin,
  onChange,
}: {
  item: SettingItem;
  entered: string | null;
  problem?: string | undefined;
  origin?: string | undefined;
  onChange: (entered: string | null) => void;
}) {
  const { key, label, description, value, source } = item;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isLocked = source === 'env';
  const isSet = typeof value === 'string' && value !== '';
  const isTyping = isOpen || (entered !== null && entered !== '');
  const isTouched = isTyping || entered === '';
  return (
    <div className={styles['setting']} data-kind="secret" data-changed={entered !== null}>
      <div className={styles['head']}>
        {isTyping ? (
          <label htmlFor={id} className={styles['label']}>
            {label}
          </label>
        ) : (
          <span className={styles['label']}>{label}</span>
        )}
        {entered !== null && <span className={styles['changed']}>changed</span>}
      </div>
      {isTyping ? (
        <input
          id={id}
          data-setting={key}
          type="password"
          autoComplete="new-password"
          spellCheck={false}
          autoFocus={isOpen && entered === null}
          aria-describedby={`${id}-about${problem === undefined ? '' : ` ${id}-problem`}`}
          aria-invalid={problem !== undefined}
          value={entered ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        />
      ) : (
        <p className={styles['secret']}>
          {entered === '' ? 'Will be removed.' : isSet ? <code>{value}</code> : 'Not set.'}
        </p>
      )}
      {!isLocked && (
        <div className={styles['buttons']}>
          {/* the first stays the same element, so that focus stays on it */}
          <Button
            {...(isTouched
              ? {}
              : { 'data-setting': key, 'aria-label': `${isSet ? 'Replace' : 'Enter'} ${label}` })}
            onClick={() => {
              setOpen(!isTouched);
              if (isTouched) onChange(null);
            }}
          >
            {isTouched ? (isSet ? 'Keep what is stored' : 'Leave it unset') : isSet ? 'Replace' : 'Enter'}
          </Button>
          {!isTouched && isSet && source === 'file' && (
            <Button
              aria-label={`Remove ${label}`}
              onClick={({ currentTarget }) => {
                currentTarget.parentElement?.querySelector('button')?.focus();
                onChange('');
              }}
            >
              Remove
            </Button>
          )}
        </div>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles['problem']}>
          {problem}
        </p>
      )}
      <div id={`${id}-about`} className={styles['about']}>
        <p>{description}</p>
        {isLocked && <p>The environment sets it, so it can only be changed there.</p>}
        <KeyLine name={key} origin={origin} />
      </div>
    </div>
  );
}

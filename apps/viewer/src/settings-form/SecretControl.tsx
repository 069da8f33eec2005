import { useId, useState } from 'react';
import { Button } from '../ui/Button.js';
import { descriptionProps, SettingDescription } from './SettingDescription.js';
import type { SettingItem } from './settings-query.js';
import styles from './SettingControl.module.css';

/**
 * A key or token. The browser never receives the full stored value, so the control can only keep, replace or remove
 * it.
 * @param entered null keeps the stored value, an empty text removes it
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
  const { key, label, value, source } = item;
  const id = useId();
  /** True while the field is open without text. */
  const [isOpen, setOpen] = useState(false);
  const isSet = typeof value === 'string' && value !== '';
  const isTyping = isOpen || (entered !== null && entered !== '');
  const isTouched = isTyping || entered === '';
  return (
    <div className={styles['setting']} data-kind="secret" data-changed={entered !== null}>
      <div className={`row ${styles['head']}`}>
        {isTyping ? (
          <label htmlFor={id} className="strong">
            {label}
          </label>
        ) : (
          <span className="strong">{label}</span>
        )}
        {entered !== null && <span className="tag">changed</span>}
      </div>
      <div className={`stack gap-1 ${styles['control']}`}>
        {isTyping ? (
          <input
            id={id}
            data-setting={key}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            autoFocus={isOpen && entered === null}
            {...descriptionProps(id, problem)}
            aria-invalid={problem !== undefined}
            value={entered ?? ''}
            onChange={({ target }) => {
              setOpen(target.value === '');
              onChange(target.value === '' ? null : target.value);
            }}
          />
        ) : (
          <p className="muted">
            {entered === '' ? 'Will be removed.' : isSet ? <code>{value}</code> : 'Not set.'}
          </p>
        )}
        {source !== 'env' && (
          <div className="row">
            {/* the first button stays the same element, so that it keeps the focus */}
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
      </div>
      <SettingDescription id={id} item={item} problem={problem} origin={origin} />
    </div>
  );
}

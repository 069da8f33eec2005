import { SecretControl } from '../../settings-form/SecretControl.js';
import { KeyLine } from '../../settings-form/SettingDescription.js';
import { SettingControl } from '../../settings-form/SettingControl.js';
import type { SettingItem } from '../../settings-form/settings-query.js';
import { shownValueOf, withEntered, withReset, withSecret, type SettingsDraft } from './settings-draft.js';
import styles from '../../settings-form/SettingControl.module.css';

/** A setting with its control and the source of its value. Some settings cannot be changed over HTTP. */
export function SettingRow({
  item,
  draft,
  problem,
  isChanged,
  onChange,
}: {
  item: SettingItem;
  draft: SettingsDraft;
  problem: string | undefined;
  isChanged: boolean;
  onChange: (draft: SettingsDraft) => void;
}) {
  const { key, kind, isSettable, needsRestart } = item;
  const origin = [formatSource(item), needsRestart ? 'Requires a restart.' : ''].join(' ').trim();
  return (
    <div className={`pad ${styles['row']}`}>
      {!isSettable ? (
        <FixedSetting item={item} origin={origin} />
      ) : kind === 'secret' ? (
        <SecretControl
          item={item}
          entered={draft.secrets[key] ?? null}
          problem={problem}
          origin={origin}
          onChange={(secret) => onChange(withSecret(draft, key, secret))}
        />
      ) : (
        <SettingControl
          item={item}
          value={shownValueOf(item, draft)}
          problem={problem}
          isChanged={isChanged}
          origin={origin}
          onChange={(value) => onChange(withEntered(draft, key, value))}
        />
      )}
      {item.source === 'file' && isSettable && kind !== 'secret' && !draft.resets.includes(key) && (
        <button
          type="button"
          className="link tiny"
          onClick={({ currentTarget }) => {
            // the button disappears after the reset
            currentTarget.parentElement?.querySelector<HTMLElement>('[data-setting]')?.focus();
            onChange(withReset(draft, key));
          }}
        >
          Reset to default
        </button>
      )}
    </div>
  );
}

/**
 * A setting that contains a program, an address or a folder. Changes over HTTP are rejected, because a web page could
 * choose what runs.
 */
function FixedSetting({
  item: { key, label, description, value },
  origin,
}: {
  item: SettingItem;
  origin: string;
}) {
  return (
    <div className={styles['setting']}>
      <h3 className={styles['head']}>{label}</h3>
      <p className={`mono small ${styles['control']}`}>{formatValue(value)}</p>
      <div className={`muted small measure ${styles['about']}`}>
        <p>{description}</p>
        <p>For safety, this setting can only be changed in settings.json or in the environment.</p>
        <KeyLine name={key} origin={origin} />
      </div>
    </div>
  );
}

function formatSource({ source, default: defaultValue, kind, isSettable }: SettingItem): string {
  // for other settings, `SettingDescription` shows that the environment sets them
  if (source === 'env') return isSettable ? '' : 'Set by the environment.';
  if (source === 'default') return 'The default.';
  return kind === 'secret'
    ? 'Set in settings.json.'
    : `Set in settings.json; the default is ${formatValue(defaultValue)}.`;
}

function formatValue(value: SettingItem['value']): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : value.join(', ');
  return value === null || value === '' ? 'empty' : String(value);
}

import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { worker } from '../../api/worker.js';
import { counted } from '../../format/counted.js';
import {
  asEntered,
  type EnteredSettings,
  type SettingChanges,
} from '../../settings-form/entered-settings.js';
import { NO_REFUSAL, refusalOf } from '../../settings-form/refusal-of.js';
import { SettingControl } from '../../settings-form/SettingControl.js';
import type { SettingItem } from '../../settings-form/settings-query.js';
import { Button } from '../../ui/Button.js';
import { Card } from '../../ui/Card.js';
import { notices } from '../../ui/notices.js';
import { contextDraft } from './context-draft.js';
import styles from './ContextSettings.module.css';

/** The settings that shape what is given: what is entered shows in the preview at once, and is stored when that is wished. */
export function ContextSettings({
  items,
  entered,
  changes,
  problems,
}: SettingChanges & { items: readonly SettingItem[]; entered: EnteredSettings }) {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState(NO_REFUSAL);
  const [isSaving, setSaving] = useState(false);
  const changed = Object.keys(changes);
  const isTouched = changed.length > 0 || Object.keys(problems).length > 0;

  const focusOn = (key: string | undefined) =>
    form.current?.querySelector<HTMLElement>(`[data-setting="${key}"]`)?.focus();
  const save = async () => {
    const [wrong] = Object.keys(problems);
    if (wrong !== undefined) return focusOn(wrong);
    setSaving(true);
    try {
      const { needsRestart } = await worker.changeSettings({ body: changes });
      await client.invalidateQueries({ queryKey: ['getSettings'] });
      contextDraft.change({ settings: {} });
      setRefused(NO_REFUSAL);
      for (const route of ['previewContext', 'listContextFiles', 'healthDetail'])
        void client.invalidateQueries({ queryKey: [route] });
      notices.add({
        title: `${counted(changed.length, 'setting')} saved`,
        description: needsRestart ? 'Run claude-mem restart for it.' : 'It counts from the next session on.',
      });
    } catch (error) {
      const refusal = refusalOf(error);
      setRefused(refusal);
      focusOn(Object.keys(refusal.problems)[0]);
    } finally {
      setSaving(false);
    }
  };

  return (
    <Card title="What shapes it" actions={<Link to="/settings">All settings</Link>}>
      <form
        ref={form}
        className={styles['form']}
        aria-label="Settings of the context"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTouched) void save();
        }}
      >
        {items.map((item) => (
          <SettingControl
            key={item.key}
            item={item}
            value={entered[item.key] ?? asEntered(item)}
            problem={problems[item.key] ?? refused.problems[item.key]}
            isChanged={item.key in changes}
            onChange={(value) => {
              setRefused(NO_REFUSAL);
              contextDraft.change({ settings: { ...entered, [item.key]: value } });
            }}
          />
        ))}
        {(isTouched || refused.message !== null) && (
          <div className={styles['bar']}>
            <p role="status">
              {changed.length === 0
                ? 'Nothing to save.'
                : `${counted(changed.length, 'change')} tried, not saved.`}
            </p>
            {refused.message !== null && (
              <p role="alert" className={styles['problem']}>
                {refused.message}
              </p>
            )}
            <div className={styles['buttons']}>
              <Button
                type="submit"
                look="primary"
                disabled={isSaving || changed.length === 0}
                focusableWhenDisabled
              >
                Save
              </Button>
              <Button
                type="button"
                onClick={() => {
                  setRefused(NO_REFUSAL);
                  contextDraft.change({ settings: {} });
                }}
              >
                Back to what is set
              </Button>
            </div>
          </div>
        )}
      </form>
    </Card>
  );
}

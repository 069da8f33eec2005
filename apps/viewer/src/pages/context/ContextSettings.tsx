import { isRecord, messageOf } from '@claude-mem/core';
import { WorkerClientError } from '@claude-mem/worker-protocol';
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
  const [refused, setRefused] = useState<{ message: string | null; problems: Record<string, string> }>(FINE);
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
      setRefused(FINE);
      for (const route of ['previewContext', 'listContextFiles', 'healthDetail'])
        void client.invalidateQueries({ queryKey: [route] });
      notices.add({
        title: `${counted(changed.length, 'setting')} saved`,
        description: needsRestart ? 'Run claude-mem restart for it.' : 'It counts from the next session on.',
      });
    } catch (error) {
      const named = problemsIn(error);
      setRefused({ message: Object.keys(named).length > 0 ? null : messageOf(error), problems: named });
      focusOn(Object.keys(named)[0]);
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
              setRefused(FINE);
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
                  setRefused(FINE);
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

const FINE = { message: null, problems: {} };

/** What the worker says is wrong, by key. */
function problemsIn(error: unknown): Record<string, string> {
  const details = error instanceof WorkerClientError ? error.data?.['details'] : null;
  const problems = isRecord(details) && Array.isArray(details['problems']) ? details['problems'] : [];
  return Object.fromEntries(
    problems.flatMap((one: unknown) =>
      isRecord(one) && typeof one['key'] === 'string' && typeof one['message'] === 'string'
        ? [[one['key'], one['message']]]
        : [],
    ),
  );
}

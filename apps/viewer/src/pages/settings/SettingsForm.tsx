import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useRef, useState } from 'react';
import { worker } from '../../api/worker.js';
import { counted } from '../../format/counted.js';
import { NO_REFUSAL, refusalOf } from '../../settings-form/refusal-of.js';
import type { SettingItem } from '../../settings-form/settings-query.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Modal } from '../../ui/Modal.js';
import { notices } from '../../ui/notices.js';
import { draftedChanges, EMPTY_DRAFT, matching, type SettingsDraft } from './settings-draft.js';
import { SettingRow } from './SettingRow.js';
import styles from './SettingsForm.module.css';

export function SettingsForm({
  items,
  problems: fileProblems,
}: {
  items: readonly SettingItem[];
  problems: readonly string[];
}) {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [refusal, setRefusal] = useState(NO_REFUSAL);
  const [isSaving, setSaving] = useState(false);
  const [text, setText] = useState('');
  const { changes, problems } = draftedChanges(items, draft);
  const changed = Object.keys(changes);
  const isTouched = changed.length > 0 || Object.keys(problems).length > 0;
  const blocker = useBlocker({
    shouldBlockFn: () => isTouched,
    enableBeforeUnload: () => isTouched,
    withResolver: true,
  });

  const change = (next: SettingsDraft) => {
    setRefusal(NO_REFUSAL);
    setDraft(next);
  };
  const focusOn = (key: string | undefined) => {
    // it may be hidden by what is searched for
    setText('');
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[data-setting="${key}"]`)?.focus());
  };
  const save = async () => {
    const [wrong] = Object.keys(problems);
    if (wrong !== undefined) return focusOn(wrong);
    setSaving(true);
    try {
      const { needsRestart } = await worker.changeSettings({ body: changes });
      await client.invalidateQueries({ queryKey: ['getSettings'] });
      setDraft(EMPTY_DRAFT);
      setRefusal(NO_REFUSAL);
      void client.invalidateQueries({ predicate: ({ queryKey: [route] }) => route !== 'getSettings' });
      notices.add({
        title: `${counted(changed.length, 'setting')} saved`,
        ...(needsRestart && { description: 'Run claude-mem restart for it to work.', timeout: 20_000 }),
      });
    } catch (error) {
      const found = refusalOf(error);
      setRefusal(found);
      const [first] = Object.keys(found.problems);
      if (first !== undefined) focusOn(first);
    } finally {
      setSaving(false);
    }
  };

  const shown = matching(items, text);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <form
      ref={form}
      className={styles['form']}
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTouched && !isSaving) void save();
      }}
    >
      {fileProblems.length > 0 && (
        <ul className={styles['file-problems']} aria-label="Problems of the settings file">
          {fileProblems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div className={styles['layout']}>
        <div className={styles['side']}>
          <label className={styles['search']}>
            <span>Find a setting</span>
            <input
              type="search"
              value={text}
              onChange={({ target }) => setText(target.value)}
              autoComplete="off"
            />
          </label>
          <GroupLinks groups={groups} items={shown} changed={changed} />
        </div>
        <div className={styles['groups']}>
          {shown.length === 0 && (
            <EmptyState icon={SearchX} title="No setting has these words">
              Labels, keys and descriptions are looked through.
            </EmptyState>
          )}
          {groups.map((group) => (
            <section key={group} id={idOf(group)} tabIndex={-1} aria-label={group}>
              <h2 className={styles['group']}>{group}</h2>
              <div className={styles['members']}>
                {shown
                  .filter((item) => item.group === group)
                  .map((item) => (
                    <SettingRow
                      key={item.key}
                      item={item}
                      draft={draft}
                      problem={problems[item.key] ?? refusal.problems[item.key]}
                      isChanged={item.key in changes}
                      onChange={change}
                    />
                  ))}
              </div>
            </section>
          ))}
        </div>
      </div>
      {(isTouched || refusal.message !== null) && (
        <div className={styles['bar']}>
          <p role="status">
            {changed.length === 0
              ? 'Something cannot be saved as it is.'
              : `${counted(changed.length, 'change')} not saved.`}
          </p>
          {refusal.message !== null && (
            <p role="alert" className={styles['problem']}>
              {refusal.message}
            </p>
          )}
          <Button type="button" onClick={() => change(EMPTY_DRAFT)}>
            Discard
          </Button>
          <Button type="submit" look="primary" disabled={isSaving} focusableWhenDisabled>
            Save
          </Button>
        </div>
      )}
      {blocker.status === 'blocked' && (
        <Modal title="Leave without saving?" onClose={blocker.reset}>
          <p>What you changed on this page is not saved.</p>
          <div className="modal-actions">
            <Button onClick={blocker.reset}>Stay</Button>
            <Button look="primary" onClick={blocker.proceed}>
              Leave
            </Button>
          </div>
        </Modal>
      )}
    </form>
  );
}

/** Goes to a group without a change of the address, which would be taken for leaving the page. */
function GroupLinks({
  groups,
  items,
  changed,
}: {
  groups: readonly string[];
  items: readonly SettingItem[];
  changed: readonly string[];
}) {
  return (
    <nav className={styles['contents']} aria-label="Groups of settings">
      <ul>
        {groups.map((group) => {
          const keys = items.filter((item) => item.group === group).map(({ key }) => key);
          const isChanged = keys.some((key) => changed.includes(key));
          return (
            <li key={group}>
              <button type="button" onClick={() => goTo(group)}>
                <span>{group}</span>
                <span className={styles['count']}>{isChanged ? 'changed' : keys.length}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function goTo(group: string): void {
  const section = document.getElementById(idOf(group));
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}

const idOf = (group: string) => `group-${group.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

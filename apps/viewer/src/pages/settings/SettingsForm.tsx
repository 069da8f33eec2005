import { useBlocker } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { SaveForm } from '../../settings-form/SaveForm.js';
import type { SettingItem } from '../../settings-form/settings-query.js';
import { useSaveSettings } from '../../settings-form/use-save-settings.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Modal } from '../../ui/Modal.js';
import { draftedChanges, EMPTY_DRAFT, findSettings, type SettingsDraft } from './settings-draft.js';
import { SettingRow } from './SettingRow.js';
import styles from './SettingsForm.module.css';

export function SettingsForm({
  items,
  problems: fileProblems,
}: {
  items: readonly SettingItem[];
  problems: readonly string[];
}) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [text, setText] = useState('');
  const { changes, problems } = draftedChanges(items, draft);
  const saving = useSaveSettings({
    changes,
    problems,
    onSaved: () => setDraft(EMPTY_DRAFT),
    // a search can hide the setting
    showAll: () => setText(''),
  });
  const blocker = useBlocker({
    shouldBlockFn: () => saving.isTouched,
    enableBeforeUnload: () => saving.isTouched,
    withResolver: true,
  });
  const change = (next: SettingsDraft) => {
    saving.clearRejection();
    setDraft(next);
  };

  const shown = findSettings(items, text);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <SaveForm label="Settings" saving={saving} onDiscard={() => setDraft(EMPTY_DRAFT)}>
      {fileProblems.length > 0 && (
        <ul className="notice stack" aria-label="Problems of the settings file">
          {fileProblems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div className="split start">
        <div className={`stack ${styles['side']}`}>
          <label className="field short">
            Find a setting
            <input
              type="search"
              value={text}
              onChange={({ target }) => setText(target.value)}
              autoComplete="off"
            />
          </label>
          <GroupLinks groups={groups} items={shown} changed={Object.keys(changes)} />
        </div>
        <div className={`stack gap-5 ${styles['groups']}`}>
          {shown.length === 0 && (
            <EmptyState icon={SearchX} title="No setting matches">
              The search covers labels, keys and descriptions.
            </EmptyState>
          )}
          {groups.map((group) => (
            <section key={group} id={idOf(group)} className="stack gap-2" tabIndex={-1} aria-label={group}>
              <h2>{group}</h2>
              <div className="panel divided">
                {shown
                  .filter((item) => item.group === group)
                  .map((item) => (
                    <SettingRow
                      key={item.key}
                      item={item}
                      draft={draft}
                      problem={problems[item.key] ?? saving.rejection.problems[item.key]}
                      isChanged={item.key in changes}
                      onChange={change}
                    />
                  ))}
              </div>
            </section>
          ))}
        </div>
      </div>
      {blocker.status === 'blocked' && (
        <Modal title="Leave without saving?" onClose={blocker.reset}>
          <p>Your changes on this page are not saved.</p>
          <div className="row right">
            <Button onClick={blocker.reset}>Stay</Button>
            <Button variant="primary" onClick={blocker.proceed}>
              Leave
            </Button>
          </div>
        </Modal>
      )}
    </SaveForm>
  );
}

/** Scrolls to a group without a change of the URL, which would trigger the warning about unsaved changes. */
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
              <button type="button" className="row between" onClick={() => goTo(group)}>
                <span>{group}</span>
                <span className="muted tiny">{isChanged ? 'changed' : keys.length}</span>
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

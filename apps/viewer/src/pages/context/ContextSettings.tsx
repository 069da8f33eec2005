import { Link } from '@tanstack/react-router';
import {
  toEntered,
  type EnteredSettings,
  type SettingChanges,
} from '../../settings-form/entered-settings.js';
import { SaveForm } from '../../settings-form/SaveForm.js';
import { SettingControl } from '../../settings-form/SettingControl.js';
import type { SettingItem } from '../../settings-form/settings-query.js';
import { useSaveSettings } from '../../settings-form/use-save-settings.js';
import { Card } from '../../ui/Card.js';
import { contextDraft } from './context-draft.js';

/** The settings of the context. The preview uses the entered values at once; a button saves them. */
export function ContextSettings({
  items,
  entered,
  changes,
  problems,
}: SettingChanges & { items: readonly SettingItem[]; entered: EnteredSettings }) {
  const reset = () => contextDraft.change({ settings: {} });
  const saving = useSaveSettings({
    changes,
    problems,
    onSaved: reset,
    note: 'The change applies to new sessions.',
  });
  return (
    <Card title="Context settings" actions={<Link to="/settings">All settings</Link>}>
      <SaveForm label="Settings of the context" saving={saving} onDiscard={reset}>
        {items.map((item) => (
          <SettingControl
            key={item.key}
            item={item}
            value={entered[item.key] ?? toEntered(item)}
            problem={problems[item.key] ?? saving.rejection.problems[item.key]}
            isChanged={item.key in changes}
            onChange={(value) => {
              saving.clearRejection();
              contextDraft.change({ settings: { ...entered, [item.key]: value } });
            }}
          />
        ))}
      </SaveForm>
    </Card>
  );
}

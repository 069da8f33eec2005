import { Link } from '@tanstack/react-router';
import { counted } from '../../format/counted.js';
import {
  asEntered,
  type EnteredSettings,
  type SettingChanges,
} from '../../settings-form/entered-settings.js';
import { SettingControl } from '../../settings-form/SettingControl.js';
import type { SettingItem } from '../../settings-form/settings-query.js';
import { useSaveSettings } from '../../settings-form/use-save-settings.js';
import { Button } from '../../ui/Button.js';
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
  const { form, count, isTouched, isSaving, refusal, clearRefusal, save } = useSaveSettings({
    changes,
    problems,
    onSaved: reset,
    note: 'The change applies to new sessions.',
  });
  return (
    <Card title="Context settings" actions={<Link to="/settings">All settings</Link>}>
      <form
        ref={form}
        className="stack"
        aria-label="Settings of the context"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTouched && !isSaving) void save();
        }}
      >
        {items.map((item) => (
          <SettingControl
            key={item.key}
            item={item}
            value={entered[item.key] ?? asEntered(item)}
            problem={problems[item.key] ?? refusal.problems[item.key]}
            isChanged={item.key in changes}
            onChange={(value) => {
              clearRefusal();
              contextDraft.change({ settings: { ...entered, [item.key]: value } });
            }}
          />
        ))}
        {(isTouched || refusal.message !== null) && (
          <div className="toolbar stack gap-2">
            <p role="status">{count === 0 ? 'No changes.' : `${counted(count, 'unsaved change')}.`}</p>
            {refusal.message !== null && (
              <p role="alert" className="danger">
                {refusal.message}
              </p>
            )}
            <div className="row">
              <Button type="submit" look="primary" disabled={isSaving || count === 0} focusableWhenDisabled>
                Save
              </Button>
              <Button
                type="button"
                onClick={() => {
                  clearRefusal();
                  reset();
                }}
              >
                Discard changes
              </Button>
            </div>
          </div>
        )}
      </form>
    </Card>
  );
}

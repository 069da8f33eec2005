import type { ReactNode } from 'react';
import { counted } from '../format/counted.js';
import { Button } from '../ui/Button.js';
import type { useSaveSettings } from './use-save-settings.js';

/** A form of settings, with a toolbar while there are unsaved changes. */
export function SaveForm({
  label,
  saving: { form, count, isTouched, isSaving, refusal, clearRefusal, save },
  onDiscard,
  children,
}: {
  /** Name of the form for screen readers. */
  label: string;
  saving: ReturnType<typeof useSaveSettings>;
  onDiscard: () => void;
  children: ReactNode;
}) {
  return (
    <form
      ref={form}
      className="stack"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (isTouched && !isSaving) void save();
      }}
    >
      {children}
      {(isTouched || refusal.message !== null) && (
        <div className="toolbar row">
          <p role="status" className="grow">
            {count === 0 ? 'Fix the errors before saving.' : `${counted(count, 'unsaved change')}.`}
          </p>
          {refusal.message !== null && (
            <p role="alert" className="danger">
              {refusal.message}
            </p>
          )}
          <Button
            onClick={() => {
              clearRefusal();
              onDiscard();
            }}
          >
            Discard changes
          </Button>
          <Button type="submit" look="primary" disabled={isSaving} focusableWhenDisabled>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}

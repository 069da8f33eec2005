import type { ReactNode } from 'react';
import { counted } from '../format/counted.js';
import { Button } from '../ui/Button.js';
import type { useSaveSettings } from './use-save-settings.js';

/** A form of settings, with a toolbar while there are unsaved changes. */
export function SaveForm({
  label,
  saving: { form, count, isTouched, isSaving, rejection, clearRejection, save },
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
      {(isTouched || rejection.message !== null) && (
        <div className="toolbar row">
          <p role="status" className="grow">
            {count === 0 ? 'Fix the errors before saving.' : `${counted(count, 'unsaved change')}.`}
          </p>
          {rejection.message !== null && (
            <p role="alert" className="danger">
              {rejection.message}
            </p>
          )}
          <Button
            onClick={() => {
              clearRejection();
              onDiscard();
            }}
          >
            Discard changes
          </Button>
          <Button type="submit" variant="primary" disabled={isSaving} focusableWhenDisabled>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}

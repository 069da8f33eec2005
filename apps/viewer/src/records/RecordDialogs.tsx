import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { isTyping } from '../shell/is-typing.js';
import { recordActions } from './record-actions.js';

const EditDialog = lazy(async () => ({ default: (await import('./EditDialog.js')).EditDialog }));
const SupersedeDialog = lazy(async () => ({
  default: (await import('./SupersedeDialog.js')).SupersedeDialog,
}));
const ForgetSessionDialog = lazy(async () => ({
  default: (await import('./ForgetSessionDialog.js')).ForgetSessionDialog,
}));

/** The dialogs of the actions on records, once for all pages, and `u`, which undoes the last forgetting. */
export function RecordDialogs() {
  const dialog = useSyncExternalStore(recordActions.onDialog, recordActions.dialog);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === 'u' && isPlain && !isTyping(event.target)) void recordActions.undoLatest();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (dialog === null) return null;
  const close = () => recordActions.closeDialog();
  return (
    <Suspense>
      {dialog.kind === 'edit' && <EditDialog observation={dialog.observation} onClose={close} />}
      {dialog.kind === 'supersede' && <SupersedeDialog observation={dialog.observation} onClose={close} />}
      {dialog.kind === 'forget-session' && <ForgetSessionDialog session={dialog.session} onClose={close} />}
    </Suspense>
  );
}

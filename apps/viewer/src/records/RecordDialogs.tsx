import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useStreamEvent } from '../api/use-stream.js';
import { isTyping } from '../shell/is-typing.js';
import { recordActions } from './record-actions.js';

const EditDialog = lazy(async () => ({ default: (await import('./EditDialog.js')).EditDialog }));
const SupersedeDialog = lazy(async () => ({
  default: (await import('./SupersedeDialog.js')).SupersedeDialog,
}));
const ForgetSessionDialog = lazy(async () => ({
  default: (await import('./ForgetSessionDialog.js')).ForgetSessionDialog,
}));

/**
 * Once for all pages: the dialogs of the actions on records, `u`, which undoes the last forgetting, and what happens to
 * records elsewhere.
 */
export function RecordDialogs() {
  const dialog = useSyncExternalStore(recordActions.onDialog, recordActions.dialog);
  useStreamEvent((event) => {
    if (event.type === 'observation-updated') recordActions.took(event.data.item);
    if (event.type === 'memory-forgotten') recordActions.gone(event.data);
  });
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

import { useSyncExternalStore } from 'react';
import { useStreamEvent } from '../api/use-stream.js';
import { onDemand } from '../ui/on-demand.js';
import { useKeys } from '../ui/use-keys.js';
import { recordActions } from './record-actions.js';

const EditDialog = onDemand(async () => (await import('./EditDialog.js')).EditDialog);
const SupersedeDialog = onDemand(async () => (await import('./SupersedeDialog.js')).SupersedeDialog);
const ForgetSessionDialog = onDemand(
  async () => (await import('./ForgetSessionDialog.js')).ForgetSessionDialog,
);

/** The dialogs of the record actions, the key `u` for undo, and updates after events. Rendered once for all pages. */
export function RecordDialogs() {
  const dialog = useSyncExternalStore(recordActions.onDialog, recordActions.dialog);
  useStreamEvent((event) => {
    if (event.type === 'observation-updated') recordActions.applyChange(event.data.item);
    if (event.type === 'memory-forgotten') recordActions.removeForgotten(event.data);
    // a stream reset can mean that a deletion was undone elsewhere
    if (event.type === 'stream-reset') void recordActions.checkUndoable();
  });
  useKeys({ u: () => void recordActions.undoLatest() });
  if (dialog === null) return null;
  const close = () => recordActions.closeDialog();
  switch (dialog.kind) {
    case 'edit':
      return <EditDialog observation={dialog.observation} onClose={close} />;
    case 'supersede':
      return <SupersedeDialog observation={dialog.observation} onClose={close} />;
    case 'forget-session':
      return <ForgetSessionDialog session={dialog.session} onClose={close} />;
  }
}

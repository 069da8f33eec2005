import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useSyncExternalStore,
  type FunctionComponent,
} from 'react';
import { useStreamEvent } from '../api/use-stream.js';
import { isTyping } from '../shell/is-typing.js';
import { notices } from '../ui/notices.js';
import { recordActions } from './record-actions.js';

const EditDialog = onDemand(async () => (await import('./EditDialog.js')).EditDialog);
const SupersedeDialog = onDemand(async () => (await import('./SupersedeDialog.js')).SupersedeDialog);
const ForgetSessionDialog = onDemand(
  async () => (await import('./ForgetSessionDialog.js')).ForgetSessionDialog,
);

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

function onDemand<Props extends { onClose: () => void }>(load: () => Promise<FunctionComponent<Props>>) {
  return lazy(async (): Promise<{ default: FunctionComponent<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: Unavailable };
    }
  });
}

/** In the place of a dialog that cannot be loaded: the worker is away, or has another viewer since it was updated. */
function Unavailable({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    notices.add({
      title: 'This cannot be opened now',
      description: 'The worker is away or was updated. Load the page again.',
      priority: 'high',
    });
    close();
  }, []);
  return null;
}

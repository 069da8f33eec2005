import { createElement, lazy, Suspense, useEffect, useEffectEvent, type FunctionComponent } from 'react';
import { notices } from './notices.js';

/** A dialog that is loaded when it is opened. If loading fails, a notice appears and the dialog is closed. */
export function onDemand<Props extends { onClose: () => void }>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const Dialog: FunctionComponent<Props> = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      return { default: Unavailable };
    }
  });
  return (props) => createElement(Suspense, null, createElement(Dialog, props));
}

/** Shown when the worker is not reachable or the viewer was updated. */
function Unavailable({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    notices.add({
      title: 'The dialog cannot be opened',
      description: 'The worker is not reachable or was updated. Reload the page.',
      priority: 'high',
    });
    close();
  }, []);
  return null;
}

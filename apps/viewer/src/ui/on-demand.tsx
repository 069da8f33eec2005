import { lazy, useEffect, useEffectEvent, type FunctionComponent } from 'react';
import { notices } from './notices.js';

/** A dialog that is loaded when it is opened. Where it cannot be, a notice says so and it is closed; the page stays. */
export function onDemand<Props extends { onClose: () => void }>(
  load: () => Promise<FunctionComponent<Props>>,
) {
  return lazy(async (): Promise<{ default: FunctionComponent<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: Unavailable };
    }
  });
}

/** The worker is away, or has another viewer since it was updated. */
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

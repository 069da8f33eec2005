import { worker } from '../api/worker.js';

const CHANNEL = 'claude-mem-sign-out';

/** Signs this browser out: all its tabs go to the page that says how it is signed in again. */
export async function signOut(): Promise<void> {
  await worker.signOut();
  const tabs = new BroadcastChannel(CHANNEL);
  tabs.postMessage('signed out');
  tabs.close();
  location.reload();
}

/** Follows when another tab of this browser signs it out. */
export function watchSignOut(): void {
  new BroadcastChannel(CHANNEL).onmessage = () => location.reload();
}

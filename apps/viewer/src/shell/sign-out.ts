import { worker } from '../api/worker.js';

const CHANNEL = 'claude-mem-sign-out';

/** Signs this browser out. All tabs then show how to sign in again. */
export async function signOut(): Promise<void> {
  await worker.signOut();
  const tabs = new BroadcastChannel(CHANNEL);
  tabs.postMessage('signed out');
  tabs.close();
  location.reload();
}

/** Reloads this tab when another tab signs out. */
export function watchSignOut(): void {
  new BroadcastChannel(CHANNEL).onmessage = () => location.reload();
}

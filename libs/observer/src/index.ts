export type { ProviderTable } from './choose-providers.js';
export { createObserver, type Observer, type ObserverState } from './create-observer.js';

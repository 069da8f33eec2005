/** Resolves in a later turn of the event loop, so that timers and I/O run before. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

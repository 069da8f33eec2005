/** A resource that is opened at its first use, shared by all callers, and closed when it is idle. */
export interface Shared<Resource> {
  use<Value>(work: (resource: Resource) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** @param idleMs time without a call after which the resource is closed */
export function createShared<Resource extends { close(): Promise<void> }>(
  open: () => Promise<Resource>,
  idleMs: number,
): Shared<Resource> {
  let current: Promise<Resource> | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  async function close(): Promise<void> {
    clearTimeout(idle);
    const opened = current;
    current = null;
    // a resource that failed to open needs no closing
    await opened?.then(
      (resource) => resource.close(),
      () => undefined,
    );
  }

  return {
    async use(work) {
      clearTimeout(idle);
      users += 1;
      const opening = (current ??= open());
      opening.catch(() => {
        if (current === opening) current = null;
      });
      try {
        return await work(await opening);
      } finally {
        users -= 1;
        if (users === 0) idle = setTimeout(() => void close().catch(() => undefined), idleMs).unref();
      }
    },
    close,
  };
}

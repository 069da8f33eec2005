/** Calls `action` immediately, then at most once per `everyMs()`. The last call always causes an action. */
export function throttled(action: () => void, everyMs: () => number): { call(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const act = () => {
    isDue = false;
    action();
    timer = setTimeout(rest, everyMs());
  };
  const rest = () => {
    timer = undefined;
    if (isDue) act();
  };
  return {
    call() {
      if (timer === undefined) act();
      else isDue = true;
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      isDue = false;
    },
  };
}

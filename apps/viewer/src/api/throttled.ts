/** Calls `action` at once and then at most every `everyMs()`, the last time after the last call. */
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

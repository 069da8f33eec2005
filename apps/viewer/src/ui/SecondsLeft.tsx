import { useEffect, useEffectEvent, useState } from 'react';

/** Counts down to a time and then calls `onEnd` once. Screen readers do not announce each second. */
export function SecondsLeft({ untilEpoch, onEnd }: { untilEpoch: number; onEnd?: () => void }) {
  const [left, setLeft] = useState(() => secondsUntil(untilEpoch));
  const tick = useEffectEvent(() => {
    const seconds = secondsUntil(untilEpoch);
    setLeft(seconds);
    if (seconds === 0) onEnd?.();
    return seconds > 0;
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (!tick()) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [untilEpoch]);
  return (
    <>
      <span className="visually-hidden">You can undo this for a limited time</span>
      <span aria-hidden>{formatLeft(left)}</span>
    </>
  );
}

function formatLeft(seconds: number): string {
  if (seconds > 7_200) return `${Math.floor(seconds / 3_600)} hours left`;
  if (seconds > 120) return `${Math.floor(seconds / 60)} minutes left`;
  return seconds === 1 ? '1 second left' : `${seconds} seconds left`;
}

const secondsUntil = (epoch: number) => Math.max(0, Math.ceil((epoch - Date.now()) / 1_000));

import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './Button.js';
import styles from './MoreOnSight.module.css';

/** Stands behind what is read so far of a list: asks for more as soon as it comes near, and when it is pressed. */
export function MoreOnSight({ isReading, onMore }: { isReading: boolean; onMore: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const read = useEffectEvent(() => {
    if (!isReading) onMore();
  });
  useEffect(() => {
    // what is not near any more must come near again, so each answer is followed by a new look
    if (isReading || place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) read();
      },
      { rootMargin: '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isReading]);
  return (
    <div ref={place} className={styles['more']}>
      <Button disabled={isReading} focusableWhenDisabled onClick={onMore}>
        {isReading ? 'Reading more' : 'Show more'}
      </Button>
    </div>
  );
}

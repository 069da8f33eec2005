import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './Button.js';

/**
 * Stands behind what is read so far of a list, as long as there is more: reads on as soon as it comes near, and when it is
 * pressed. What could not be read is read again only when it is pressed.
 */
export function MoreOnSight({
  query: { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage },
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError'> & {
    fetchNextPage: () => Promise<unknown>;
  };
}) {
  const place = useRef<HTMLDivElement>(null);
  const isWaiting = hasNextPage && !isFetching && !isFetchNextPageError;
  const read = useEffectEvent(() => void fetchNextPage());
  useEffect(() => {
    // what is not near any more must come near again, so each answer is followed by a new look
    if (!isWaiting || place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) read();
      },
      { rootMargin: '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWaiting]);
  if (!hasNextPage) return null;
  return (
    <div ref={place} className="row centered pad">
      {isFetchNextPageError && <p role="alert">More could not be read.</p>}
      <Button disabled={isFetching} focusableWhenDisabled onClick={() => void fetchNextPage()}>
        {isFetching ? 'Reading more' : isFetchNextPageError ? 'Try again' : 'Show more'}
      </Button>
    </div>
  );
}

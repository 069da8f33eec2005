import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './Button.js';

/** Loads the next page of a list when its end comes near or the button is pressed. After an error, only the button retries. */
export function LoadMoreWhenVisible({
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
    // the observer calls back only on a change, so each page needs a new one
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
      {isFetchNextPageError && <p role="alert">Loading more failed.</p>}
      <Button disabled={isFetching} focusableWhenDisabled onClick={() => void fetchNextPage()}>
        {isFetching ? 'Loading' : isFetchNextPageError ? 'Try again' : 'Show more'}
      </Button>
    </div>
  );
}

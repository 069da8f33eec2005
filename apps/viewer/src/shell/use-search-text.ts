import { useRouter, useRouterState } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { readFilters } from '../api/filters.js';
import { createSearchText, type SearchText } from './search-text.js';

export const SearchTextContext = createContext<SearchText | null>(null);

/** Creates the search text of this window, for the provider around all pages. */
export function useCreateSearchText(): SearchText {
  const router = useRouter();
  const [text] = useState(() =>
    createSearchText({
      writeAddress(q) {
        const isThere = router.history.location.pathname === '/search';
        void router.navigate({
          to: '/search',
          search: isThere ? (previous) => ({ ...readFilters(previous), q }) : { q },
          replace: isThere,
        });
      },
    }),
  );
  const address = useSearchAddress();
  useEffect(() => text.settle(), [address, text]);
  return text;
}

/** Returns the current search text: the typed text, or else the text in the URL. */
export function useSearchText(): { value: string; text: SearchText } {
  const text = useContext(SearchTextContext);
  if (text === null) throw new Error('There is no SearchTextContext around this.');
  const typed = useSyncExternalStore(text.watch, text.typed);
  const address = useSearchAddress();
  return { value: typed ?? address ?? '', text };
}

function useSearchAddress(): string | null {
  return useRouterState({
    select: ({ location: { pathname, search } }) =>
      pathname === '/search' ? ((search as { q?: string }).q ?? '') : null,
  });
}

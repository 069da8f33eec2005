import { useNavigate, useRouterState } from '@tanstack/react-router';
import { readFilters } from '../api/filters.js';
import { Search } from 'lucide-react';
import styles from './SearchBox.module.css';

export const SEARCH_BOX_ID = 'search-box';

/** The one place to type a search: it leads to the search page and keeps its address in step, key by key. */
export function SearchBox() {
  const navigate = useNavigate();
  const query = useRouterState({
    select: ({ location }) =>
      location.pathname === '/search' ? ((location.search as { q?: string }).q ?? '') : '',
  });
  const isThere = useRouterState({ select: ({ location }) => location.pathname === '/search' });
  const search = (q: string) =>
    navigate({
      to: '/search',
      search: isThere ? (previous) => ({ ...readFilters(previous), q }) : { q },
      replace: isThere,
    });
  return (
    <form className={styles['box']} role="search" onSubmit={(event) => event.preventDefault()}>
      <Search aria-hidden size={16} />
      <input
        id={SEARCH_BOX_ID}
        type="search"
        value={query}
        onChange={(event) => void search(event.target.value)}
        placeholder="Search the memory"
        aria-label="Search the memory"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
      />
      <kbd aria-hidden>/</kbd>
    </form>
  );
}

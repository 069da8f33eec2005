import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import styles from './SearchBox.module.css';
import { useSearchText } from './use-search-text.js';

export const SEARCH_BOX_ID = 'search-box';
/** Id of the list of results. The arrow key moves the focus into it. */
export const SEARCH_RESULTS_ID = 'search-results';

/** The search box, which opens the search page. */
export function SearchBox() {
  const { value, text } = useSearchText();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    if (event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (value === '' && event.key === 'Enter') text.type('');
    text.flush();
    document.querySelector<HTMLElement>(`#${SEARCH_RESULTS_ID} [data-record-link]`)?.focus();
  };
  return (
    <form
      className={`row nowrap muted ${styles['box']}`}
      role="search"
      onSubmit={(event) => event.preventDefault()}
    >
      <Search aria-hidden size={16} />
      <input
        id={SEARCH_BOX_ID}
        type="search"
        value={value}
        onChange={(event) => text.type(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder="Search the memory"
        aria-label="Search the memory"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
      />
      <kbd className="not-narrow" aria-hidden>
        /
      </kbd>
    </form>
  );
}

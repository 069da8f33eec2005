import { Link, Outlet } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.js';
import { PAGE_GROUPS } from './pages.js';
import { SearchBox } from './SearchBox.js';
import { Shortcuts } from './Shortcuts.js';
import { SignOut } from './SignOut.js';
import { StreamStatus } from './StreamStatus.js';
import { ThemeChoice } from './ThemeChoice.js';
import styles from './Shell.module.css';
import { SearchTextContext, useCreateSearchText } from './use-search-text.js';

/** The frame around every page: navigation, search box and state of the connection. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const searchText = useCreateSearchText();
  return (
    <SearchTextContext value={searchText}>
      <div className={styles['shell']}>
        <a className={styles['skip']} href="#page">
          Skip to the page
        </a>
        <header className={`row nowrap gap-3 ${styles['top']}`}>
          <Button
            variant="quiet"
            isIcon
            className={styles['menu'] ?? ''}
            aria-label="Pages"
            aria-expanded={isOpen}
            aria-controls="pages"
            onClick={() => setOpen(!isOpen)}
          >
            <Menu aria-hidden size={18} />
          </Button>
          <Link to="/" className={styles['name']}>
            claude-mem
          </Link>
          <SearchBox />
          <StreamStatus />
          <Shortcuts />
          <ThemeChoice />
        </header>
        <nav id="pages" className={`stack ${styles['pages']}`} data-open={isOpen} aria-label="Pages">
          {PAGE_GROUPS.map(({ title, pages }) => (
            <div key={title}>
              <h2 className="tiny strong muted">{title}</h2>
              <ul>
                {pages.map(({ to, label, icon: Icon }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="row"
                      activeOptions={{ exact: to === '/', includeSearch: false }}
                      activeProps={{ 'aria-current': 'page' }}
                      onClick={() => setOpen(false)}
                    >
                      <Icon aria-hidden size={16} />
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <SignOut />
        </nav>
        <main id="page" className={styles['main']} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </SearchTextContext>
  );
}

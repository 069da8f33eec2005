import {
  Activity,
  FileText,
  FolderGit2,
  Gauge,
  Inbox,
  ListTree,
  MessagesSquare,
  ScrollText,
  Search,
  Settings,
  Stethoscope,
} from 'lucide-react';

/** The pages of the navigation. The keys `g` and `keyAfterG` open a page. */
export const PAGE_GROUPS = [
  {
    title: 'Memory',
    pages: [
      { to: '/', label: 'Feed', icon: Activity, keyAfterG: 'f' },
      { to: '/search', label: 'Search', icon: Search, keyAfterG: 's' },
      { to: '/sessions', label: 'Sessions', icon: MessagesSquare, keyAfterG: 'e' },
      { to: '/projects', label: 'Projects', icon: FolderGit2, keyAfterG: 'p' },
      { to: '/files', label: 'Files', icon: FileText, keyAfterG: 'i' },
    ],
  },
  {
    title: 'Observer',
    pages: [
      { to: '/queue', label: 'Queue', icon: Inbox, keyAfterG: 'q' },
      { to: '/usage', label: 'Usage', icon: Gauge, keyAfterG: 'u' },
      { to: '/context', label: 'Context', icon: ListTree, keyAfterG: 'c' },
    ],
  },
  {
    title: 'Worker',
    pages: [
      { to: '/settings', label: 'Settings', icon: Settings, keyAfterG: 't' },
      { to: '/logs', label: 'Logs', icon: ScrollText, keyAfterG: 'l' },
      { to: '/health-check', label: 'Health', icon: Stethoscope, keyAfterG: 'h' },
    ],
  },
] as const;

export const PAGES = PAGE_GROUPS.flatMap(({ pages }) => [...pages]);

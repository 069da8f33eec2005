import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { router } from './router.js';
import { watchSignOut } from './shell/sign-out.js';
import { applyTheme } from './shell/theme.js';
import { NoticeList } from './ui/NoticeList.js';
import './ui/styles.css';

// the pages work without the dialogs when they cannot be loaded
const RecordDialogs = lazy(() =>
  import('./records/RecordDialogs.js').then((part) => ({ default: part.RecordDialogs }), nothing),
);

applyTheme();
watchSignOut();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <NoticeList />
      <Suspense>
        <RecordDialogs />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
);

function nothing(): { default: ComponentType } {
  return { default: () => null };
}

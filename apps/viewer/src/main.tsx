import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { router } from './router.js';
import { watchSignOut } from './shell/sign-out.js';
import { applyTheme } from './shell/theme.js';
import './ui/styles.css';

// beside the pages, which go on without them where they cannot be loaded
const RecordDialogs = lazy(() =>
  import('./records/RecordDialogs.js').then((part) => ({ default: part.RecordDialogs }), nothing),
);
const NoticeList = lazy(() =>
  import('./ui/NoticeList.js').then((part) => ({ default: part.NoticeList }), nothing),
);

applyTheme();
watchSignOut();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Suspense>
        <NoticeList />
        <RecordDialogs />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
);

function nothing(): { default: ComponentType } {
  return { default: () => null };
}

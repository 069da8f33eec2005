import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { router } from './router.js';
import { applyTheme } from './shell/theme.js';
import './ui/tokens.css';
import './ui/base.css';

const RecordDialogs = lazy(async () => ({
  default: (await import('./records/RecordDialogs.js')).RecordDialogs,
}));
const NoticeList = lazy(async () => ({ default: (await import('./ui/NoticeList.js')).NoticeList }));

applyTheme();
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

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readFilters, type Filters } from './api/filters.js';
import { readAddress, writeAddress } from './api/address.js';
import { loadModule } from './api/load-module.js';
import { Shell } from './shell/Shell.js';
import { Failure } from './ui/Failure.js';
import { NotFound } from './shell/NotFound.js';
import { Loading } from './ui/Loading.js';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const idParams = { parse: ({ id }: { id: string }) => ({ id: rowIdOf(id) }), stringify: rawId };

const feedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search): Filters => readFilters(search),
  component: lazyRouteComponent(() => loadModule(() => import('./pages/feed/FeedPage.js')), 'FeedPage'),
});

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search): Filters & { q: string } => ({ ...readFilters(search), q: text(search['q']) }),
  component: lazyRouteComponent(() => loadModule(() => import('./pages/search/SearchPage.js')), 'SearchPage'),
});

const timelineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/timeline/$anchor',
  validateSearch: (search): { project?: string } =>
    text(search['project']) === '' ? {} : { project: text(search['project']) },
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/timeline/TimelinePage.js')),
    'TimelinePage',
  ),
});

const observationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/observations/$id',
  params: idParams,
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/observation/ObservationPage.js')),
    'ObservationPage',
  ),
});

const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: (search): Pick<Filters, 'project' | 'host'> => readFilters(search),
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/sessions/SessionsPage.js')),
    'SessionsPage',
  ),
});

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions/$id',
  params: idParams,
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/sessions/SessionPage.js')),
    'SessionPage',
  ),
});

const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  validateSearch: (search): { path: string; project?: string } => ({
    path: text(search['path']),
    ...(text(search['project']) === '' ? {} : { project: text(search['project']) }),
  }),
  component: lazyRouteComponent(() => loadModule(() => import('./pages/files/FilePage.js')), 'FilePage'),
});

const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/projects/ProjectsPage.js')),
    'ProjectsPage',
  ),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$id',
  params: idParams,
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/projects/ProjectPage.js')),
    'ProjectPage',
  ),
});

const queueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/queue',
  component: lazyRouteComponent(() => loadModule(() => import('./pages/queue/QueuePage.js')), 'QueuePage'),
});

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: lazyRouteComponent(() => loadModule(() => import('./pages/usage/UsagePage.js')), 'UsagePage'),
});

const contextRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/context',
  validateSearch: (search): { cwd?: string; moment?: string; host?: string } =>
    pickTexts(search, ['cwd', 'moment', 'host']),
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/context/ContextPage.js')),
    'ContextPage',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(
    () => loadModule(() => import('./pages/settings/SettingsPage.js')),
    'SettingsPage',
  ),
});

const logsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/logs',
  validateSearch: (search): { date?: string; level?: string; q?: string } =>
    pickTexts(search, ['date', 'level', 'q']),
  component: lazyRouteComponent(() => loadModule(() => import('./pages/logs/LogsPage.js')), 'LogsPage'),
});

const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/health-check',
  component: lazyRouteComponent(() => loadModule(() => import('./pages/health/HealthPage.js')), 'HealthPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    feedRoute,
    searchRoute,
    timelineRoute,
    observationRoute,
    sessionsRoute,
    sessionRoute,
    fileRoute,
    projectsRoute,
    projectRoute,
    queueRoute,
    usageRoute,
    contextRoute,
    settingsRoute,
    logsRoute,
    healthRoute,
  ]),
  parseSearch: readAddress,
  stringifySearch: writeAddress,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function rowIdOf(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw redirect({ to: '/' });
  return id;
}

function pickTexts(search: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (text(search[name]) === '' ? [] : [[name, text(search[name])]])),
  );
}

function rawId({ id }: { id: number }): { id: string } {
  return { id: String(id) };
}

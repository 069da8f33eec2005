import type { Teardown } from '../lifecycle/create-teardown.js';
import { createHttpApp } from './create-http-app.js';
import type { RequestHandler } from './create-listeners.js';
import { createViewer } from './create-viewer.js';
import { registerRoutes, type RouteServices } from './register-routes.js';

/** Creates the handler of all requests: the routes, and the files of the viewer. */
export async function createRequestHandler(
  services: RouteServices,
  {
    viewerDir,
    onViewerOpened,
    teardown,
  }: { viewerDir: string | null; onViewerOpened: () => void; teardown: Teardown },
): Promise<RequestHandler> {
  const { log } = services;
  const app = createHttpApp({ log });
  const viewer = createViewer({ folder: viewerDir, onOpened: onViewerOpened, log });
  await registerRoutes(app, services);
  await app.ready();
  teardown.add('application', () => app.close());
  teardown.add('viewer', () => viewer.close());
  return (request, response) =>
    viewer.isFor(request) ? viewer.answer(request, response) : app.routing(request, response);
}

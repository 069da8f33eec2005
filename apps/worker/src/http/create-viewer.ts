import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '@claude-mem/core';
import { createHttpApp } from './create-http-app.js';
import { refuse } from './error-reply.js';
import { PAGE_HEADERS, sendPlainPage, type PlainPage } from './plain-page.js';
import { isAsset, isPage } from './viewer-paths.js';

/** The files of the viewer. Requests have passed the gate. */
export interface Viewer {
  /** Checks for addresses outside of the API. */
  isFor(request: IncomingMessage): boolean;
  answer(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** All content is from this origin and in files, so injected content cannot run or load anything. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The file server is loaded with the first request for the viewer, because most workers never need it.
 * @param options.onOpened called when a browser opens the viewer
 */
export function createViewer({
  folder,
  onOpened,
  log,
}: {
  folder: string | null;
  onOpened: () => void;
  log: Logger;
}): Viewer {
  let opening: Promise<FastifyInstance> | null = null;
  const open = () => (opening ??= openFiles(folder ?? '', log));
  return {
    isFor: (request) => isPage(request) || isAsset(request),
    answer(request, response) {
      if (folder === null || !existsSync(join(folder, 'index.html')))
        return sendPlainPage(request, response, NOT_INSTALLED);
      if (isPage(request)) onOpened();
      open().then(
        (app) => app.routing(request, response),
        (error: unknown) => {
          opening = null;
          log.error({ error }, 'The viewer cannot be served');
          refuse(request, response, error);
        },
      );
    },
    close: async () => (await opening?.catch(() => null))?.close(),
  };
}

async function openFiles(folder: string, log: Logger): Promise<FastifyInstance> {
  const { default: fastifyStatic } = await import('@fastify/static');
  const app = createHttpApp({ log });
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    index: false,
    dotfiles: 'ignore',
    // The name of a file changes with its content.
    immutable: true,
    maxAge: '365d',
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (_request, reply) =>
      reply
        .headers({ ...PAGE_HEADERS, 'content-security-policy': POLICY })
        .sendFile('index.html', folder, { cacheControl: false, etag: false, lastModified: false }),
  });
  await app.ready();
  return app;
}

const NOT_INSTALLED: PlainPage = {
  status: 404,
  title: 'The viewer is not part of this installation',
  lines: [
    'Everything else works. In a copy of the sources, `npm start` builds it; else install claude-mem again.',
  ],
};

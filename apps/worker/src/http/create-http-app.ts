import { ClaudeMemError, type Logger } from '@claude-mem/core';
import { HOOK_ENVELOPE_TYPE, JSON_LINES_TYPE, MAX_IMPORT } from '@claude-mem/worker-protocol';
import { fastify, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { WorkerError } from '../worker-error.js';
import { refuse, toHttpError } from './error-reply.js';
import { isDeeperThan } from './json-depth.js';
import { bodyLimitOf, MAX_JSON_DEPTH } from './limits.js';

/**
 * Creates the application without its sockets: content types, error format, request ids. `bindRoute` checks schemas,
 * so fastify's own compilers are never loaded. Requests have passed a gate, see gate.ts.
 */
export function createHttpApp({ log }: { log: Logger }): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: bodyLimitOf('/api/hooks/'),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: NO_COMPILERS },
    // An address that cannot be decoded matches no route.
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      refuse(request.raw, reply.raw, error);
    },
  });
  readJsonBodies(app);
  app.addContentTypeParser(HOOK_ENVELOPE_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addContentTypeParser(JSON_LINES_TYPE, { parseAs: 'string' }, (_request, body, done) =>
    // One more than allowed is enough for the schema. A body with only line ends would otherwise create millions of
    // entries.
    done(null, {
      lines: String(body)
        .replace(/\n$/, '')
        .split('\n', MAX_IMPORT + 1),
    }),
  );

  app.setNotFoundHandler((request) => {
    throw new WorkerError(
      'worker/not-found',
      `There is no ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`,
    );
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, reply: body, retryAfter } = toHttpError(error);
    const fields = { requestId: request.id, method: request.method, route: request.routeOptions.url, status };
    if (status >= 500 && status !== 503) log.error({ ...fields, error }, 'Request failed');
    else log.debug({ ...fields, code: body.error.code }, 'Request refused');
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
    return reply.code(status).send(body);
  });
  return app;
}

/** Never called, because no route gives fastify a schema. */
const NO_COMPILERS = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/**
 * Rejects a body that is nested too deeply or contains prototype keys before other code reads it. An empty body is
 * `{}`.
 */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.url.startsWith('/api/hooks/')) return done(null, body);
    const limit = bodyLimitOf(request.url);
    if (body.length > limit)
      return done(new WorkerError('worker/too-large', `The body is larger than ${limit} bytes.`));
    if (body.length === 0) return done(null, {});
    const text = body.toString();
    if (isDeeperThan(text, MAX_JSON_DEPTH))
      return done(new WorkerError('worker/bad-request', 'The body is nested too deep.'));
    return parse(request, text, (error, value) => done(error === null ? null : asBadRequest(error), value));
  });
}

function asBadRequest(error: Error): Error {
  if (ClaudeMemError.isInstance(error)) return error;
  return new WorkerError('worker/bad-request', 'The body is not the JSON asked for.', { cause: error });
}

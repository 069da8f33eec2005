import {
  readInput,
  ROUTES,
  type Route,
  type RouteInput,
  type RouteName,
  type RouteReply,
} from '@claude-mem/worker-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WorkerError } from '../worker-error.js';
import { callerOf } from './caller.js';

type Answer<Name extends RouteName> = [RouteReply<Name>] extends [never] ? unknown : RouteReply<Name>;

/** Binds a handler to a route of the table: checks the permission and the input, then responds with the result. */
export function bindRoute<Name extends RouteName>(
  app: FastifyInstance,
  name: Name,
  handle: (
    input: Required<RouteInput<Name>>,
    http: { request: FastifyRequest; reply: FastifyReply },
  ) => Promise<Answer<Name>>,
): void {
  const route: Route = ROUTES[name];
  app.route({
    method: route.method,
    url: route.path,
    handler: (request, reply) => {
      checkCaller(route, request);
      return handle(readRouteInput(route, request) as Required<RouteInput<Name>>, { request, reply });
    },
  });
}

function checkCaller(route: Route, request: FastifyRequest): void {
  if (route.auth === 'admin' && !callerOf(request.raw).isLocal)
    throw new WorkerError('worker/forbidden', 'This is answered only to programs on the same machine.');
}

function readRouteInput(route: Route, request: FastifyRequest): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const parts = [
    ['params', route.params, request.params, 'query'],
    ['query', route.query, request.query, 'query'],
    ['body', route.body, request.body, 'body'],
  ] as const;
  for (const [name, schema, value, from] of parts) {
    if (schema === undefined) continue;
    const reading = readInput(schema, value ?? {}, { from });
    if (reading.kind === 'invalid')
      throw new WorkerError(
        'worker/bad-request',
        `The ${name} cannot be used: ${reading.problems.join('; ')}.`,
        {
          data: { problems: reading.problems },
        },
      );
    input[name] = reading.value;
  }
  return input;
}

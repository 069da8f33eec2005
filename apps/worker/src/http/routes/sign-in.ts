import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../access/create-access.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';
import { callerOf } from '../caller.js';
import { otherUserError } from '../other-user-error.js';
import { sendPlainPage, SIGN_IN_NEEDED, type PlainPage } from '../plain-page.js';
import { SIGN_IN_PATH } from '../viewer-paths.js';

/**
 * Routes for signing in and out: a program with the token requests a code, and the browser exchanges it once for a
 * cookie.
 */
export async function signInRoutes(
  app: FastifyInstance,
  { access, viewerUrl }: { access: Access; viewerUrl: () => string | null },
): Promise<void> {
  bindRoute(app, 'createSignIn', async (_input, { request }) => {
    // Otherwise a stolen cookie could renew itself forever.
    if (callerOf(request.raw).isViewer)
      throw new WorkerError(
        'worker/forbidden',
        'This needs the token; a browser that is signed in has none.',
      );
    const url = viewerUrl();
    if (url === null)
      throw new WorkerError(
        'worker/no-address',
        'The worker has no address for a browser; claude-mem status says why.',
      );
    const { code, expiresAtEpoch } = access.codes.create();
    return { url: `${url}${SIGN_IN_PATH}?code=${code}`, expiresAtEpoch };
  });

  bindRoute(app, 'signOut', async (_input, { request, reply }) => {
    const port = request.raw.socket.localPort;
    if (port !== undefined) reply.header('set-cookie', access.cookie.drop(port));
    return { signedOut: true as const };
  });

  app.get(SIGN_IN_PATH, async (request, reply) => {
    const { code } = request.query as { code?: unknown };
    const { isTrusted } = callerOf(request.raw);
    const port = request.raw.socket.localPort;
    // Only valid codes start the expensive check, so that other users cannot slow the worker down.
    if (typeof code === 'string' && port !== undefined && access.codes.isOpen(code)) {
      if (!isTrusted && !(await access.isOwnUser(request.raw.socket))) throw otherUserError();
      if (access.codes.redeem(code)) {
        reply.header('set-cookie', access.cookie.issue(port));
        return goOn(reply);
      }
    }
    return isTrusted ? goOn(reply) : showPage(request, reply, REFUSED);
  });
}

/** 303 keeps the address with the code out of the browser history. */
function goOn(reply: FastifyReply) {
  return reply.redirect('/', 303);
}

function showPage(request: FastifyRequest, reply: FastifyReply, page: PlainPage) {
  reply.hijack();
  sendPlainPage(request.raw, reply.raw, page);
}

const REFUSED: PlainPage = {
  ...SIGN_IN_NEEDED,
  lines: [
    'The code in this address is used up, too old, or from before the worker was restarted.',
    ...SIGN_IN_NEEDED.lines,
  ],
};

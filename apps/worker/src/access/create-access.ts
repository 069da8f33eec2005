import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSignInCodes, type SignInCodes } from './create-sign-in-codes.js';
import { createViewerCookie, type ViewerCookie } from './create-viewer-cookie.js';
import { userAtOtherEnd } from './user-at-other-end.js';

/** What opens the door over TCP: the token for programs, a cookie for browsers, and codes to get one with. */
export interface Access {
  /** Takes as long whatever is given. */
  isToken(given: string): boolean;
  cookie: ViewerCookie;
  codes: SignInCodes;
  /**
   * False for a connection that another user of this machine has made: cookies go to every port of a host, and command lines can
   * be read by all. True for root, and where nobody can tell.
   */
  isOwnUser(socket: Socket): boolean;
}

export function createAccess({
  token,
  now,
  userId,
}: {
  token: string;
  now: () => number;
  userId: number;
}): Access {
  const tokenHash = hashOf(token);
  const known = new WeakMap<Socket, boolean>();
  return {
    isToken: (given) => timingSafeEqual(hashOf(given), tokenHash),
    cookie: createViewerCookie({ token, now }),
    codes: createSignInCodes({ now }),
    isOwnUser(socket) {
      const before = known.get(socket);
      if (before !== undefined) return before;
      const user = userAtOtherEnd(socket);
      const isOwn = user === null || user === userId || user === 0;
      known.set(socket, isOwn);
      return isOwn;
    },
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSignInCodes, type SignInCodes } from './create-sign-in-codes.js';
import { createViewerCookie, type ViewerCookie } from './create-viewer-cookie.js';
import { createFindPeerUser, type FindPeerUser } from './find-peer-user.js';

/** Authentication over TCP: the token for programs, a cookie for browsers, and sign-in codes for that cookie. */
export interface Access {
  /** Compares in constant time. */
  isToken(given: string): boolean;
  cookie: ViewerCookie;
  codes: SignInCodes;
  /**
   * False when another user of this machine made the connection, or nobody holds its other end: cookies go to every port of a
   * host, and every user can read command lines. True for root, for other machines, and on systems without a table of connections.
   */
  isOwnUser(socket: Socket): Promise<boolean>;
}

export function createAccess({
  token,
  now,
  userId,
  findPeerUser = createFindPeerUser(),
}: {
  token: string;
  now: () => number;
  userId: number;
  findPeerUser?: FindPeerUser;
}): Access {
  const tokenHash = hashOf(token);
  const known = new WeakMap<Socket, Promise<boolean>>();
  return {
    isToken: (given) => timingSafeEqual(hashOf(given), tokenHash),
    cookie: createViewerCookie({ token, now }),
    codes: createSignInCodes({ now }),
    isOwnUser(socket) {
      const before = known.get(socket);
      if (before !== undefined) return before;
      const isOwn = findPeerUser(socket).then((user) => user === 'unknown' || user === userId || user === 0);
      known.set(socket, isOwn);
      return isOwn;
    },
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

import { createHash, timingSafeEqual } from 'node:crypto';
import { createSignInCodes, type SignInCodes } from './create-sign-in-codes.js';
import { createViewerCookie, type ViewerCookie } from './create-viewer-cookie.js';

/** What opens the door over TCP: the token for programs, a cookie for browsers, and codes to get one with. */
export interface Access {
  /** Takes as long whatever is given. */
  isToken(given: string): boolean;
  cookie: ViewerCookie;
  codes: SignInCodes;
}

export function createAccess({ token, now }: { token: string; now: () => number }): Access {
  const tokenHash = hashOf(token);
  return {
    isToken: (given) => timingSafeEqual(hashOf(given), tokenHash),
    cookie: createViewerCookie({ token, now }),
    codes: createSignInCodes({ now }),
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

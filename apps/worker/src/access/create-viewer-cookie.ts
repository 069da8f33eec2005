import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Recognizes signed-in browsers without stored state. */
export interface ViewerCookie {
  /** Creates the value of a Set-Cookie header. */
  issue(port: number): string;
  /**
   * The header with which a browser deletes its cookie. Copies of the cookie remain valid, because nothing is stored.
   */
  drop(port: number): string;
  /** Checks for a valid, recent cookie among the cookies that a browser sent for this port. */
  isAmong(cookies: string | undefined, port: number): boolean;
}

export const VIEWER_COOKIE_DAYS = 90;

const DAY_MS = 86_400_000;
const PURPOSE = 'claude-mem viewer';
const SHAPE = /^([0-9a-z]{1,11})\.([\w-]{16})\.([\w-]{43})$/;
/** Maximum number of cookies that are checked, because other programs on the host may set cookies with this name. */
const MOST_OF_A_NAME = 8;

/**
 * Creates a viewer cookie that is signed with the token. It contains its creation time and allows nothing else. It
 * expires with the token or after `VIEWER_COOKIE_DAYS`. Browsers share cookies between ports, so its name contains
 * the port.
 */
export function createViewerCookie({ token, now }: { token: string; now: () => number }): ViewerCookie {
  const sign = (issued: string, nonce: string) =>
    createHmac('sha256', token).update(`${PURPOSE}\n${issued}\n${nonce}`).digest();
  const isGood = (value: string): boolean => {
    const [, issued = '', nonce = '', signature = ''] = SHAPE.exec(value) ?? [];
    if (issued === '' || !timingSafeEqual(Buffer.from(signature, 'base64url'), sign(issued, nonce)))
      return false;
    const age = now() - parseInt(issued, 36);
    // A clock that was set back does not invalidate cookies.
    return age > -DAY_MS && age < VIEWER_COOKIE_DAYS * DAY_MS;
  };
  const headerOf = (port: number, { value, seconds }: { value: string; seconds: number }) =>
    `${nameFor(port)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return {
    issue(port) {
      const issued = now().toString(36);
      const nonce = randomBytes(12).toString('base64url');
      const value = `${issued}.${nonce}.${sign(issued, nonce).toString('base64url')}`;
      return headerOf(port, { value, seconds: VIEWER_COOKIE_DAYS * 86_400 });
    },
    drop: (port) => headerOf(port, { value: '', seconds: 0 }),
    isAmong(cookies = '', port) {
      const start = `${nameFor(port)}=`;
      return cookies
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(start))
        .slice(0, MOST_OF_A_NAME)
        .some((part) => isGood(part.slice(start.length)));
    },
  };
}

const nameFor = (port: number) => `claude_mem_${port}`;

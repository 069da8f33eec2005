import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tells a browser that was let in from others, without anything being stored. */
export interface ViewerCookie {
  /** A fresh one, as the value of a Set-Cookie header. */
  issue(port: number): string;
  /** The same header with which a browser drops the one it has. Copies of it stay good: nothing is stored. */
  drop(port: number): string;
  /** True when one of the cookies that a browser sent for this port is ours and not too old. */
  isAmong(cookies: string | undefined, port: number): boolean;
}

export const VIEWER_COOKIE_DAYS = 90;

const DAY_MS = 86_400_000;
const PURPOSE = 'claude-mem viewer';
const SHAPE = /^([0-9a-z]{1,11})\.([\w-]{16})\.([\w-]{43})$/;
/** Whoever else is on the host may set cookies of this name; not more than these are looked at. */
const MOST_OF_A_NAME = 8;

/**
 * Signed with the token, and not the token: it says when it was issued and opens nothing else. It ends with the token, or after
 * `VIEWER_COOKIE_DAYS`. Browsers keep no cookies apart by port, so the name does.
 */
export function createViewerCookie({ token, now }: { token: string; now: () => number }): ViewerCookie {
  const sign = (issued: string, nonce: string) =>
    createHmac('sha256', token).update(`${PURPOSE}\n${issued}\n${nonce}`).digest();
  const isGood = (value: string): boolean => {
    const [, issued = '', nonce = '', signature = ''] = SHAPE.exec(value) ?? [];
    if (issued === '' || !timingSafeEqual(Buffer.from(signature, 'base64url'), sign(issued, nonce)))
      return false;
    const age = now() - parseInt(issued, 36);
    // a clock that was put back makes nobody a stranger
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

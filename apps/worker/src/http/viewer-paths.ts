import type { IncomingMessage } from 'node:http';

export const SIGN_IN_PATH = '/sign-in';

const NO_PAGES = ['/api', '/assets', '/stream', '/health', SIGN_IN_PATH];

/** Removes the query from an address. */
export const pathOf = (url: string | undefined) => (url ?? '').split('?')[0] ?? '';

/** Checks for page addresses, which all return the same document. */
export function isPage(request: IncomingMessage): boolean {
  const path = pathOf(request.url);
  if (!isRead(request) || NO_PAGES.some((one) => path === one || path.startsWith(`${one}/`))) return false;
  return path === '/' || (request.headers.accept ?? '').includes('text/html');
}

/** Checks for resources of the viewer's document. */
export function isAsset(request: IncomingMessage): boolean {
  return isRead(request) && (request.url ?? '').startsWith('/assets/');
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

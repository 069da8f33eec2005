import type { IncomingMessage } from 'node:http';

export const SIGN_IN_PATH = '/sign-in';

const NO_PAGES = ['/api', '/assets', '/stream', '/health', SIGN_IN_PATH];

/** The address without its query. */
export const pathOf = (url: string | undefined) => (url ?? '').split('?')[0] ?? '';

/** True for what a browser shows as a page: the viewer has many addresses and one document. */
export function isPage(request: IncomingMessage): boolean {
  const path = pathOf(request.url);
  if (!isRead(request) || NO_PAGES.some((one) => path === one || path.startsWith(`${one}/`))) return false;
  return path === '/' || (request.headers.accept ?? '').includes('text/html');
}

/** True for the parts of the viewer that its document loads. */
export function isAsset(request: IncomingMessage): boolean {
  return isRead(request) && (request.url ?? '').startsWith('/assets/');
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

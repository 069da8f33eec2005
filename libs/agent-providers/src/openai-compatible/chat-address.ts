import { isWebAddress } from '@claude-mem/core';

/**
 * Returns the base URL for `/chat/completions`, with or without a scheme, `/v1`, a trailing slash or the complete
 * path in the user's text. Null when the text is not an address.
 */
export function readChatAddress(written: string): string | null {
  const text = written.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const full = hasScheme ? text : `http://${text}`;
  if (text === '' || !isWebAddress(full)) return null;
  const url = new URL(full);
  if (!hasScheme && !isOwnNetwork(full)) url.protocol = 'https:';
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  url.pathname = path === '' ? '/v1' : path;
  url.hash = '';
  return url.href.replace(/\/$/, '');
}

/** Checks whether the address is on this machine or its local network, where calls cost nothing. */
export function isOwnNetwork(address: string): boolean {
  const host = new URL(address).hostname;
  return OWN_HOSTS.some((pattern) => pattern.test(host));
}

const OWN_HOSTS = [
  /^[^.:]+$/,
  /\.(local|lan|internal|localhost)$/,
  /^(127|10)(\.\d+){3}$/,
  /^(192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+){2}$/,
  /^0\.0\.0\.0$/,
  /^\[(::1|f[cd][\da-f]{2}:.*|fe80:.*)\]$/,
];

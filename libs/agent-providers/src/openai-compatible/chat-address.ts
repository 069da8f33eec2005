import { isWebAddress } from '@claude-mem/core';

/**
 * The base that `/chat/completions` is added to, however a person wrote the address: with or without a scheme, `/v1`, a last
 * slash or the whole path. Null when it is none.
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

/** Whether the address is on this machine or its own network: nobody sends a bill for it. */
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

import { isIP } from 'node:net';

/** Checks for an address of this machine, including IPv4 addresses in IPv6 form. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** Parses a Host header to lower case without brackets. Returns null for an invalid one. */
export function readHostHeader(header: string | undefined): { name: string; port: number | null } | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/i.exec(header ?? '');
  if (!match) return null;
  const name = (match[1] ?? match[2] ?? '').toLowerCase();
  return { name, port: match[3] === undefined ? null : Number(match[3]) };
}

/** Checks for names of the local machine. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || isLoopbackAddress(name);
}

/** Returns the address of a listener for a browser on this machine. Null when it does not listen. */
export function urlOf(tcp: { host: string; port: number; isListening: boolean }): string | null {
  if (!tcp.isListening) return null;
  const host = tcp.host === '0.0.0.0' ? '127.0.0.1' : tcp.host === '::' ? '::1' : tcp.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${tcp.port}`;
}

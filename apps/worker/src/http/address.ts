import { isIP } from 'node:net';

/** True for an address of this machine only, also as IPv4 written in IPv6. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** The parts of a Host header, lower case and without brackets; null when it is none. */
export function readHostHeader(header: string | undefined): { name: string; port: number | null } | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/i.exec(header ?? '');
  if (!match) return null;
  const name = (match[1] ?? match[2] ?? '').toLowerCase();
  return { name, port: match[3] === undefined ? null : Number(match[3]) };
}

/** True for the names under which a machine reaches itself. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || isLoopbackAddress(name);
}

/** Where a browser on this machine reaches a listener; null when it does not listen. */
export function urlOf(tcp: { host: string; port: number; isListening: boolean }): string | null {
  if (!tcp.isListening) return null;
  const host = tcp.host === '0.0.0.0' ? '127.0.0.1' : tcp.host === '::' ? '::1' : tcp.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${tcp.port}`;
}

import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isLoopbackName, readHostHeader } from './address.js';

describe('readHostHeader', () => {
  it.each([
    ['localhost:37777', { name: 'localhost', port: 37777 }],
    ['LOCALHOST', { name: 'localhost', port: null }],
    ['[::1]:37777', { name: '::1', port: 37777 }],
    ['127.0.0.1:1', { name: '127.0.0.1', port: 1 }],
    ['evil.example:37777', { name: 'evil.example', port: 37777 }],
  ])('reads %s', (header, expected) => expect(readHostHeader(header)).toEqual(expected));

  it.each([undefined, '', 'a b', 'localhost:37777/x', 'localhost@evil', 'http://localhost', '::1:37777'])(
    'rejects %s',
    (header) => expect(readHostHeader(header)).toBeNull(),
  );
});

describe('a loopback address or name', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('includes the address %s', (address) =>
    expect(isLoopbackAddress(address)).toBe(true),
  );
  it.each([undefined, '10.0.0.1', '::ffff:10.0.0.1', '0.0.0.0', '127.0.0.1.evil.example', '1270.0.0.1'])(
    'excludes the address %s',
    (address) => expect(isLoopbackAddress(address)).toBe(false),
  );
  it('includes only the name localhost', () => {
    expect(isLoopbackName('localhost')).toBe(true);
    for (const name of ['localhost.evil.example', 'evil-localhost', '127.evil.example'])
      expect(isLoopbackName(name)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { scrubJson } from './scrub-json.js';

const word = ['S3cr3t', '-XYZ'].join('');

describe('scrubJson', () => {
  it.each([
    ['a field', { password: word, user: 'x' }, 'user'],
    ['camelCase', { config: { clientSecret: word } }, 'config'],
    ['kebab-case', { 'api-key': word }, 'api-key'],
    ['a short ordinary password', { db: { password: 'hunter' } }, 'db'],
    ['lists', { passwords: [word, 'hunter'] }, 'passwords'],
    [
      'a whole object of secrets',
      { credentials: { user: 'me', pass: 'hunter', more: [word] } },
      'credentials',
    ],
    ['name and value', { name: 'Authorization', value: `Bearer ${word}` }, 'Bearer '],
    ['key and value', { key: 'password', value: 'hunter' }, 'key'],
    ['header and value', [{ header: 'X-Api-Key', value: word }], 'header'],
    ['variables of a container', { env: [{ name: 'DB_PASSWORD', value: 'hunter' }] }, 'DB_PASSWORD'],
    [
      'header pairs',
      [
        ['Authorization', `Bearer ${word}`],
        ['Accept', 'x'],
      ],
      'Accept',
    ],
    ['raw headers', ['Host', 'x', 'Authorization', `Bearer ${word}`], 'Host'],
    ['arguments with a flag', ['tool', '--password', 'hunter', '--verbose'], '--verbose'],
    [
      'R05: arguments that set a value',
      ['aws', 'configure', 'set', 'aws_secret_access_key', word],
      'configure',
    ],
    ['arguments of curl', ['curl', '-H', `Authorization: Bearer ${word}`, 'https://x'], 'https://x'],
    [
      'a Kubernetes secret',
      { kind: 'Secret', data: { plain: 'aHVudGVyaHVudGVy' }, stringData: { other: 'hunter' } },
      'Secret',
    ],
    ['a private web key', { kty: 'EC', crv: 'P-256', x: 'kept', d: word }, 'kept'],
    ['a numeric password', { password: 84_713_355 }, 'password'],
    ['headers', { headers: { authorization: `Basic ${word}`, cookie: `sid=${word}` } }, 'authorization'],
  ])('removes %s', (_name, input, kept) => {
    const { value, removed } = scrubJson(input);
    const text = JSON.stringify(value);
    for (const secret of [word, 'hunter', 'aHVudGVyaHVudGVy', '84713355']) expect(text).not.toContain(secret);
    expect(text).toContain(kept);
    expect(removed).toBeGreaterThan(0);
    expect(scrubJson(value)).toEqual({ value, removed: 0 });
  });

  it.each([
    [{ tokens: 1_200, max_tokens: 8_000 }],
    [{ pattern: 'password', path: 'src/auth', output_mode: 'content' }],
    [{ old_string: 'const token = next();', new_string: 'const token = read();' }],
    [{ password: { type: 'string', minLength: 8 }, required: ['password', 'email'] }],
    [{ fields: ['password', 'token', 'name'] }],
    [{ todos: [{ id: '1', content: 'Rotate the token', status: 'pending' }] }],
    [{ sha: 'ab273d7c0ffee1234567890abcdef1234567890a', uuid: '0190a0b4-7c1e-7abc-8def-0123456789ab' }],
    [{ password: '${DB_PASSWORD}', token: '<token>', apiKey: '' }],
    [{ usage: { input_tokens: 12, output_tokens: 3, cache_read_tokens: 0 } }],
    [{ name: 'theme', value: 'dark' }],
    [{ a: 1, b: true, c: null, d: [1.5, -2], e: {} }],
  ])('does not change %j', (input) => {
    expect(scrubJson(input)).toEqual({ value: input, removed: 0 });
  });

  it('B059: stores special keys as data without changing a prototype', () => {
    const input: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}');
    const { value } = scrubJson(input);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.assign({}, value)).not.toHaveProperty('isAdmin');
    expect(JSON.stringify(value)).toBe(
      '{"[__proto__]":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
    );
  });

  it('never throws for any input', () => {
    const cycle: Record<string, unknown> = { name: 'x' };
    cycle['self'] = cycle;
    const trap = Object.defineProperty({}, 'bad', {
      enumerable: true,
      get: () => {
        throw new TypeError('no');
      },
    });
    const inputs = [
      undefined,
      () => 1,
      Symbol('x'),
      10n,
      Number.NaN,
      Infinity,
      new Date(0),
      new Date(Number.NaN),
      cycle,
      trap,
      new Map([['a', 1]]),
      Object.create(null),
    ];
    for (const input of inputs) expect(() => JSON.stringify(scrubJson(input).value)).not.toThrow();
    expect(scrubJson(cycle).value).toEqual({ name: 'x', self: '[circular]' });
    expect(scrubJson({ a: undefined, b: 10n }).value).toEqual({ a: null, b: '10' });
  });

  it('removes NUL, lone surrogates and the byte order mark, and keeps CRLF', () => {
    const { value } = scrubJson({ a: 'x\u0000y', b: 'x\ud800y', c: '\ufeffx', d: 'x\r\ny', ['k\u0000']: 1 });
    expect(value).toEqual({ a: 'x\u2400y', b: 'x\ufffdy', c: 'x', d: 'x\r\ny', 'k\u2400': 1 });
  });

  it('keeps both values when redaction makes two keys equal', () => {
    const { value } = scrubJson({ '<private>a</private>': 1, '<private>b</private>': 2 });
    expect(value).toEqual({ '': 1, ' (2)': 2 });
  });

  it('accepts very long keys and many keys', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index]));
    expect(Object.keys(scrubJson({ ['k'.repeat(1_000_000)]: many }).value as object)).toHaveLength(1);
  });
});

import { Buffer } from 'node:buffer';
import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { decodeHookBody } from './index.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const decode = (text: string) => decodeHookBody(bytes(text));
const sample = { session_id: 's1', tool_name: 'Bash', tool_input: { command: 'echo "ü" 🦊\n' } };
const json = JSON.stringify(sample);

describe('the header of a hook body', () => {
  it('is returned as env, and the bytes after the empty line as the payload', () => {
    const head = 'event-id: e1\nproject-dir: /home/ü x/repo: one\nentrypoint: cli\ncursor-version: \n\n';
    expect(decode(head + json + '\n')).toEqual({
      env: { eventId: 'e1', projectDir: '/home/ü x/repo: one', entrypoint: 'cli' },
      payload: sample,
    });
    expect(decode(head.replaceAll('\n', '\r\n') + json)).toMatchObject({
      env: { eventId: 'e1' },
      payload: sample,
    });
  });

  it('is optional', () => {
    for (const text of [json, `\n${json}`, ` ${json} \r\n`, `\n\n${json}`]) {
      expect(decode(text)).toEqual({ env: {}, payload: sample });
    }
  });

  it('is returned even when the payload is invalid', () => {
    expect(decode('event-id: e1\n\n')).toMatchObject({ env: { eventId: 'e1' }, problem: expect.any(String) });
    expect(decode('event-id: e1\n\n{"a":')).toMatchObject({
      env: { eventId: 'e1' },
      problem: expect.any(String),
    });
    expect(decode('event-id: e1\n')).toMatchObject({ env: {}, problem: expect.any(String) });
  });

  it('cannot set a prototype', () => {
    const { env } = decode(`__proto__: x\n\n${json}`);
    expect(env).toEqual({});
    expect(Object.getPrototypeOf(decode(`constructor: x\n\n${json}`).env)).toBe(Object.prototype);
  });
});

describe('the encoding of a hook body', () => {
  const head = bytes('event-id: e1\n\n');
  const marks: [string, Buffer][] = [
    ['UTF-8 with a mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes(json)])],
    ['UTF-16 LE with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(json, 'utf16le')])],
    [
      'UTF-16 BE with a mark',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(json, 'utf16le').swap16()]),
    ],
    ['UTF-16 LE', Buffer.from(json, 'utf16le')],
    ['UTF-16 BE', Buffer.from(json, 'utf16le').swap16()],
  ];
  it.each(marks)('B116: is detected for %s, with and without a header', (_, body) => {
    expect(decodeHookBody(body)).toEqual({ env: {}, payload: sample });
    expect(decodeHookBody(Buffer.concat([head, body]))).toEqual({ env: { eventId: 'e1' }, payload: sample });
  });

  it('is UTF-8 with replacement characters for invalid bytes', () => {
    const body = Buffer.concat([bytes('{"a":"'), Buffer.from([0xff, 0xc3]), bytes('"}')]);
    expect(decodeHookBody(body)).toMatchObject({ payload: { a: '\ufffd\ufffd' } });
  });

  it('is handled for a view into a larger buffer', () => {
    const large = bytes(`xx${json}xx`);
    expect(decodeHookBody(new Uint8Array(large.buffer, large.byteOffset + 2, large.length - 4))).toEqual({
      env: {},
      payload: sample,
    });
  });
});

describe('invalid JSON in a hook body', () => {
  it('B121: is repaired when a string contains raw line breaks or control characters', () => {
    const content = 'line 1\r\n\tline "2"\n\u0001\u001b[0m end';
    const broken = JSON.stringify({ ...sample, tool_input: { content: '@' } }).replace(
      '@',
      content.replaceAll('"', '\\"'),
    );
    expect(decode(broken)).toMatchObject({ payload: { session_id: 's1', tool_input: { content } } });
  });

  it('B121: is repaired when a backslash starts no valid escape', () => {
    expect(decode('{"p":"C:\\Users\\me\\x","q":"\\u12","r":"a\\\\b\\n"}')).toMatchObject({
      payload: { p: 'C:\\Users\\me\\x', q: '\\u12', r: 'a\\b\n' },
    });
  });

  it('B121: is reported with the session and the tool when it cannot be repaired', () => {
    const text = '{"session_id" : "s-1","tool_name":"Write","tool_input":{"content":"say "hi" to"}}';
    expect(decode(text)).toEqual({
      env: {},
      problem: expect.stringContaining('not valid JSON'),
      isEmpty: false,
      sessionId: 's-1',
      toolName: 'Write',
    });
  });

  it.each([
    ['{"session_id":"abc","cwd":', 'abc'],
    ['{"session_id":"abc"', 'abc'],
    ['{"session_id":"abc","x":"unclosed', 'abc'],
    ['', null],
    ['   \r\n', null],
    ['\ufeff', null],
    ['hello', null],
    ['hello: world', null],
    ['}', null],
    ['\\', null],
    ['"', null],
  ])('B115: is reported as a problem: %j', (text, sessionId) => {
    expect(decode(text)).toEqual({
      env: {},
      problem: expect.any(String),
      isEmpty: text.trim() === '',
      sessionId,
      toolName: null,
    });
  });

  it.each([
    ['[]', []],
    ['null', null],
    ['0', 0],
    ['"x"', 'x'],
    ['true', true],
  ])('B115: is not reported for valid JSON that is not an event: %s', (text, payload) =>
    expect(decode(text)).toEqual({ env: {}, payload }),
  );

  it.each([`${json}\ngarbage`, `${json}${json}`, `${json}\u0000\u0000`, `${json},`])(
    'is truncated at the end of the first JSON value',
    (text) => expect(decode(text)).toMatchObject({ payload: sample }),
  );
});

describe('unusual JSON values in a hook body', () => {
  it('B060: are truncated when they are nested too deep', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `{"session_id":"s","x":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      const decoded = decode(deep) as { payload: { session_id: string } };
      expect(decoded.payload.session_id).toBe('s');
      expect(JSON.stringify(decoded.payload)).toContain('nested too deep');
      expect(decode(deep.slice(0, -10))).toHaveProperty('problem');
      expect(decode('['.repeat(1_000_000))).toHaveProperty('problem');
    }
  });

  it('are null when out of range, keep the last of duplicate keys, and never set a prototype', () => {
    const decoded = decode(
      '{"a":1e999,"b":[-1e999],"c":1,"c":2,"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"d":{"constructor":"text","__proto__":1}}',
    ) as { payload: Record<string, unknown> };
    expect(decoded.payload).toEqual({ a: null, b: [null], c: 2, d: { constructor: 'text' } });
    expect(Object.hasOwn(decoded.payload, '__proto__')).toBe(false);
    expect(Object.hasOwn(decoded.payload['d'] as object, '__proto__')).toBe(false);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(decode('1e999')).toEqual({ env: {}, payload: null });
  });

  it('are repaired in linear time when a large body has raw line breaks', () => {
    const repair = (lines: number) => decode(`{"session_id":"s","x":"${'line\n'.repeat(lines)}"}`);
    expect(repair(300_000)).toHaveProperty('payload');
    expect(processorTimeGrowth(repair, 50_000)).toBeLessThan(LINEAR_GROWTH);
  });
});

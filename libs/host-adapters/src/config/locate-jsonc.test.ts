import { expect, it } from 'vitest';
import { locateJsonc, readNode } from './locate-jsonc.js';

function read(text: string): unknown {
  const located = locateJsonc(text);
  return 'root' in located ? readNode(text, located.root) : located.problem;
}

const strict = [
  '{}',
  '[]',
  '0',
  '-1.5e+3',
  '"a\\u00e9\\n"',
  'null',
  ' {"a" : [1,{"b":"//no"}, "/* no */"]}\r\n',
];

it.each(strict)('reads %j as every parser does', (text) => {
  expect(read(text)).toEqual(JSON.parse(text));
});

it.each([
  ['\ufeff{"a":1}', { a: 1 }],
  ['// first\n{"a": 1, // one\n /* two */ "b": [1, 2,], }// last', { a: 1, b: [1, 2] }],
  ['{"a"/**/:/* { */1}', { a: 1 }],
])('reads remarks, commas and a mark: %j', (text, value) => {
  expect(read(text)).toEqual(value);
});

it.each([
  ['', 1, 1],
  ['{"hooks": {', 1, 12],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\r\n  "a": tru\r\n}', 2, 8],
  ['\ufeff{"a":}', 1, 6],
  ['{"a": 01}', 1, 7],
  ['{"a": "x\ny"}', 1, 7],
  ['{,}', 1, 2],
  ['{"a":1} x', 1, 9],
  ['{"a":1 /* open }', 1, 8],
  ["{'a': 1}", 1, 2],
  ['{"a": "\\x"}', 1, 7],
])('%j is broken at line %i, column %i', (text, line, column) => {
  expect(read(text)).toBe(`is not valid JSON at line ${line}, column ${column}`);
});

it('takes no text for valid that a strict parser refuses, but for what it is there for', () => {
  const whole = '{"a": [1, -2.5, true], "b": {"c": null, "d": "x\\"y"}}';
  for (let at = 0; at < whole.length; at += 1) {
    for (const odd of ['', '"', '{', ']', ',', '\\', '1', 'x', ' ', '\n']) {
      const text = whole.slice(0, at) + odd + whole.slice(at + 1);
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        if (/,\s*[\]}]/.test(text)) continue;
        expect(read(text), text).toMatch(/^is not valid JSON at line /);
        continue;
      }
      expect(read(text), text).toEqual(expected);
    }
  }
});

it('refuses what is nested too deep', () => {
  expect(read('['.repeat(100_000))).toMatch(/column 258$/);
});

it.each([
  // longer ones exceed the stack of V8 in a process that has compiled very many patterns
  ['text', `{"a":"${'x'.repeat(2_000_000)}"}`],
  ['text of escapes', `{"a":"${'\\n'.repeat(9_000_000)}"}`],
  ['space', `{"a":1${' \n'.repeat(2_000_000)}}`],
  ['remark', `{"a":1/*${'*x'.repeat(9_000_000)}*/}`],
  ['row of remarks', `{"a":1${'/**/'.repeat(1_000_000)}}`],
])('a long %s is read like a short one', (_, text) => {
  expect(locateJsonc(text)).toMatchObject({ root: { members: [{ key: 'a' }] } });
});

import { getNodeValue } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  appendElement,
  elementsOf,
  endOf,
  findMember,
  locateJson,
  removeElement,
  replaceNode,
  writeJson,
} from './json-text.js';

const rootOf = (text: string) => {
  const located = locateJson(text);
  if ('errorAt' in located) throw new Error(`error at ${located.errorAt} of ${text}`);
  return located.root;
};

/** The value of a text, or the offset of its first error. */
const read = (text: string): unknown => {
  const located = locateJson(text);
  return 'root' in located ? getNodeValue(located.root) : located.errorAt;
};

const add = (text: string, key: string, value: unknown) =>
  appendElement(text, rootOf(text), (style) => `${JSON.stringify(key)}: ${writeJson(value, style)}`);

const without = (text: string, index: number) => {
  const element = elementsOf(rootOf(text)).at(index);
  return element ? removeElement(text, element) : text;
};

describe('locateJson', () => {
  it('finds the position of every value', () => {
    const text = '\ufeff { "a" : [1, "x\\"]", {"b":null}], "c\\u0064": -1.5e3 } ';
    const root = rootOf(text);
    const places = elementsOf(root).map(({ children: [key, value] = [] }) => [
      key?.value as string,
      value && text.slice(value.offset, endOf(value)),
    ]);
    expect(places).toEqual([
      ['a', '[1, "x\\"]", {"b":null}]'],
      ['cd', '-1.5e3'],
    ]);
    expect(text.slice(root.offset, endOf(root))).toBe(
      '{ "a" : [1, "x\\"]", {"b":null}], "c\\u0064": -1.5e3 }',
    );
  });

  it('uses the last of two members with the same key, like parsers', () => {
    expect(findMember(rootOf('{"a":1,"a":2}'), 'a')?.value).toBe(2);
  });

  it.each([
    '{}',
    '[]',
    '0',
    '-1.5e+3',
    '"a\\u00e9\\n"',
    'null',
    ' {"a" : [1,{"b":"//no"}, "/* no */", ",]"]}\r\n',
  ])('reads %j like JSON.parse', (text) => {
    expect(locateJson(text)).toMatchObject({ comment: null, trailingComma: null });
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['\ufeff{"a":1}', { a: 1 }, null, null],
    ['// first\n{"a": 1, // one\n /* two */ "b": [1, 2,], }// last', { a: 1, b: [1, 2] }, 0, 46],
    ['{"a"/**/:/* { */1}', { a: 1 }, 4, null],
    ['[1, /* two */ ]', [1], 4, 2],
  ])('finds the first comment and trailing comma of %j', (text, value, comment, trailingComma) => {
    expect(read(text)).toEqual(value);
    expect(locateJson(text)).toMatchObject({ comment, trailingComma });
  });

  it.each([
    ['', 0],
    ['{"hooks": {', 11],
    ['{"a": 1\n  "b": 2\n}', 10],
    ['{"a": tru}', 6],
    ['\ufeff{"a":}', 6],
    ['{"a": 01}', 7],
    ['{"a": "x\ny"}', 6],
    ['{,}', 1],
    ['{a:1}', 1],
    ['{"a":1} x', 8],
    ['{} {}', 3],
    ['{"a":1 /* open }', 7],
    ["{'a': 1}", 1],
    ['{"a": "\\x"}', 6],
    ['['.repeat(100_000), 257],
  ])('finds the first error of %.20j', (text, errorAt) => {
    expect(locateJson(text)).toEqual({ errorAt });
  });

  it('accepts only what JSON.parse accepts, besides comments and trailing commas', () => {
    const complete = '{"a": [1, -2.5, true], "b": {"c": null, "d": "x\\"y"}}';
    for (let at = 0; at < complete.length; at += 1) {
      for (const odd of ['', '"', '{', ']', ',', '\\', '1', 'x', ' ', '\n']) {
        const text = complete.slice(0, at) + odd + complete.slice(at + 1);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          if (!/,\s*[\]}]/.test(text)) expect(locateJson(text), text).toHaveProperty('errorAt');
          continue;
        }
        expect(read(text), text).toEqual(expected);
      }
    }
  });

  it.each([
    ['text', `{"a":"${'x'.repeat(2_000_000)}"}`],
    ['text of escapes', `{"a":"${'\\n'.repeat(1_000_000)}"}`],
    ['space', `{"a":1${' \n'.repeat(1_000_000)}}`],
    ['comment', `{"a":1/*${'*x'.repeat(1_000_000)}*/}`],
    ['row of comments', `{"a":1${'/**/'.repeat(500_000)}}`],
  ])('reads and changes a long %s', (_, text) => {
    expect(without(add(text, 'b', 1), -1)).toBe(text);
  });
});

describe('in-place edits', () => {
  it.each([
    [
      '{\n    "a": 1\n}\n',
      '{\n    "a": 1,\n    "b": {\n        "c": [\n            2\n        ]\n    }\n}\n',
    ],
    ['{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": [\r\n\t\t\t2\r\n\t\t]\r\n\t}\r\n}'],
    ['{"a":1}', '{"a":1,"b": { "c": [ 2 ] }}'],
    ['{ "a": 1 }', '{ "a": 1, "b": { "c": [ 2 ] } }'],
    ['{}', '{"b": {\n    "c": [\n      2\n    ]\n  }}'],
  ])('adds a member in the style of the file and removes it again: %j', (before, after) => {
    const added = add(before, 'b', { c: [2] });
    expect(added).toBe(after);
    expect(without(added, -1)).toBe(before);
  });

  it.each([
    ['[\n  1 // one\n]', '[\n  1, // one\n  9\n]'],
    ['[\n  1, // one  \n]', '[\n  1, // one  \n  9,\n]'],
    [
      '[\n  1 /* one */ , // and one\n  // at the end\n]',
      '[\n  1 /* one */ , // and one\n  9,\n  // at the end\n]',
    ],
    ['[1 /* one */]', '[1, /* one */ 9]'],
    ['[1 // one\n]', '[1, // one\n  9\n]'],
    ['[1 // one\r\n]', '[1, // one\r\n  9\r\n]'],
    ['[\n  1 /* one\n  of two */ // and\n]', '[\n  1, /* one\n  of two */ // and\n  9\n]'],
    ['[1 , ]', '[1 ,9, ]'],
  ])(
    'adds an element to %j behind the comments on the last element, and removes it again',
    (before, after) => {
      const added = appendElement(before, rootOf(before), () => '9');
      expect(added).toBe(after);
      expect(without(added, 1)).toBe(before);
    },
  );

  it.each([
    ['{"a": 1, "b": 2, "c": 3}', 0, '{"b": 2, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', 1, '{"a": 1, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', 2, '{"a": 1, "b": 2}'],
    ['[1, 2]', 0, '[2]'],
    ['[ 1 ]', 0, '[ ]'],
    ['[1,]', 0, '[]'],
    ['[1 /* one */ ,]', 0, '[ /* one */ ]'],
    ['[\n  1,\n  2,\n]', 1, '[\n  1,\n]'],
    ['[1, // one\n 2]', 1, '[1 // one\n ]'],
    ['[1 /* one */, 2]', 1, '[1 /* one */]'],
    ['[1, // one  \n 2\n]', 1, '[1 // one  \n]'],
    ['[1, // one\n 2 /* two */, // three\n 3]', 1, '[1, // one\n  /* two */ // three\n 3]'],
    ['[1, // to one\n // to two\n 2]', 0, '[// to one\n // to two\n 2]'],
    ['[1, 2, /* to three */ 3]', 1, '[1, /* to three */ 3]'],
    ['[ // one\n 1 ]', 0, '[ // one\n  ]'],
    ['[ // one\n 1\n]', 0, '[ // one\n]'],
    ['[ /* one */ 1 ]', 0, '[ /* one */ ]'],
    ['[1, // it is // "a, b"\n 2, // c\n]', 1, '[1, // it is // "a, b"\n  // c\n]'],
  ])('removes from %j the element with index %i', (text, index, after) => {
    expect(without(text, index)).toBe(after);
    expect(locateJson(after)).toHaveProperty('root');
  });

  it('replaces one value and nothing else', () => {
    const text = '{ "a" :1e400 , "b": [ 1,2 ] }';
    const value = findMember(rootOf(text), 'b');
    expect(value && replaceNode(text, value, 'true')).toBe('{ "a" :1e400 , "b": true }');
  });
});

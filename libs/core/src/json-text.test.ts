import { describe, expect, it } from 'vitest';
import { appendElement, findMember, locateJson, removeElement, replaceNode, writeJson } from './json-text.js';
import type { JsonNode } from './json-text.js';

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
const root = (text: string) => locateJson(text) as ObjectNode;
const add = (text: string, key: string, value: unknown) =>
  appendElement(text, root(text), (style) => `${JSON.stringify(key)}: ${writeJson(value, style)}`);

describe('locateJson', () => {
  it('finds every value with its position', () => {
    const text = '\ufeff { "a" : [1, "x\\"]", {"b":null}], "c\\u0064": -1.5e3 } ';
    const tree = root(text);
    const places = tree.members.map(({ key, value }) => [key, text.slice(value.start, value.end)]);
    expect(places).toEqual([
      ['a', '[1, "x\\"]", {"b":null}]'],
      ['cd', '-1.5e3'],
    ]);
    expect(text.slice(tree.start, tree.end)).toBe('{ "a" : [1, "x\\"]", {"b":null}], "c\\u0064": -1.5e3 }');
  });

  it('uses the last of two members with the same key, like parsers', () => {
    const text = '{"a":1,"a":2}';
    const found = findMember(root(text), 'a');
    expect(text.slice(found?.value.start, found?.value.end)).toBe('2');
  });

  it.each([
    '',
    '{',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '// x\n{}',
    '{} {}',
    '['.repeat(100_000) + ']'.repeat(100_000),
  ])('returns null when the text is not strict JSON or nested too deeply: %.20s', (text) =>
    expect(locateJson(text)).toBeNull(),
  );
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
  ])('adds an element in the style of the file and removes it again: %j', (before, after) => {
    const added = add(before, 'b', { c: [2] });
    expect(added).toBe(after);
    expect(removeElement(added, root(added), root(added).members.length - 1)).toBe(before);
  });

  it.each([
    [0, '{"b": 2, "c": 3}'],
    [1, '{"a": 1, "c": 3}'],
    [2, '{"a": 1, "b": 2}'],
  ])('removes element %i with its comma', (index, after) => {
    const text = '{"a": 1, "b": 2, "c": 3}';
    expect(removeElement(text, root(text), index)).toBe(after);
  });

  it('replaces only the value', () => {
    const text = '{ "a" :1e400 , "b": [ 1,2 ] }';
    const { value } = findMember(root(text), 'b') ?? {};
    expect(value && replaceNode(text, value, 'true')).toBe('{ "a" :1e400 , "b": true }');
  });
});

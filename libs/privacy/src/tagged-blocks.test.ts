import { describe, expect, it } from 'vitest';
import { scrubJson } from './scrub-json.js';
import { scrubText } from './scrub-text.js';

const tag = (name: string) => `<${name}>`;

const FORMS: readonly [name: string, text: string, expected: string][] = [
  ['B068: capitals', '<PRIVATE>zeta9</Private> ok', 'ok'],
  ['plain', 'a <private>zeta9</private> b', 'a b'],
  ['attributes', '<private reason="x">zeta9</private> ok', 'ok'],
  ['an attribute with a bracket', '<private reason="a > b">zeta9</private> ok', 'ok'],
  ['blanks in the tag', '< private >zeta9< / private > ok', 'ok'],
  ['line breaks in the tag', '<private\n>zeta9</private\n> ok', 'ok'],
  ['a line break in the name', '<pri\nvate>zeta9</priv\r\n  ate> ok', 'ok'],
  ['a literal line break in the name', '<pri\\nvate>zeta9</private> ok', 'ok'],
  ['zero width in the name', '<pri\u200bvate>zeta9</\u200dprivate> ok', 'ok'],
  ['NUL in the name', '<pri\u0000vate>zeta9</private> ok', 'ok'],
  ['nested', '<private>a<private>zeta9</private>zeta9</private> ok', 'ok'],
  ['nested and not closed', 'ok <private>a<private>b</private> zeta9', 'ok'],
  ['unclosed', 'ok <private>zeta9', 'ok'],
  ['unclosed, the tag too', 'ok <private zeta9', 'ok'],
  ['stray closing', 'ok </private> fine', 'ok fine'],
  ['self-closing', 'ok <private/> fine', 'ok fine'],
  ['self-closing and closed', 'ok <private/>zeta9</private> fine', 'ok fine'],
  ['two blocks', 'a<private>zeta9</private>b<private>zeta9</private>c', 'a b c'],
  ['escaped for HTML', 'a &lt;private&gt;zeta9&lt;/private&gt; b', 'a b'],
  ['escaped for HTML twice', 'a &amp;lt;private&amp;gt;zeta9&amp;lt;/private&amp;gt; b', 'a b'],
  ['escaped with numbers', 'a &#60;private&#62;zeta9&#x3c;/private&#x3E; b', 'a b'],
  ['escaped for JSON', 'a \\u003cprivate\\u003ezeta9\\u003c/private\\u003e b', 'a b'],
  ['escaped for JSON twice', 'a \\\\u003cprivate\\\\u003ezeta9\\\\u003C/private\\\\u003E b', 'a b'],
  ['escaped for addresses', 'a %3Cprivate%3Ezeta9%3C%2Fprivate%3E', 'a'],
  ['mixed forms', 'a &lt;private>zeta9</private&gt; b', 'a b'],
  ['full-width brackets', 'a ＜private＞zeta9＜/private＞ b', 'a b'],
  ['full-width letters', 'a ＜ｐｒｉｖａｔｅ＞zeta9＜／ｐｒｉｖａｔｅ＞ b', 'a b'],
  ['a tag made by a removal', 'a <pri<private>zeta9</private>vate>zeta9</private> b', 'a <pri vate>zeta9 b'],
  ['B103: own context', '<claude-mem-context>TOKEN123</claude-mem-context> fix login', 'fix login'],
  ['B103: own context, unclosed', 'fix login <claude-mem-context>\nTOKEN123', 'fix login'],
  [
    'B103: own context, escaped',
    '&lt;claude-mem-context&gt;TOKEN123&lt;/claude-mem-context&gt; fix login',
    'fix login',
  ],
  [
    'B103: a quoted private tag inside the context',
    '<claude-mem-context>about &lt;private> tags</claude-mem-context> fix login',
    'fix login',
  ],
  ['host reminder', 'a <system-reminder>\nTodo list is empty\n</system-reminder> b', 'a b'],
  ['hook context', 'a <hook_context>x</hook_context> b', 'a b'],
  [
    'a reminder that is only written about',
    `strip \`${tag('system-reminder')}\` from input`,
    'strip ` ` from input',
  ],
  ['private across a reminder', '<system-reminder><private></system-reminder>zeta9</private> ok', 'ok'],
  ['a reminder inside private', '<private>a<system-reminder>zeta9</private> ok', 'ok'],
];

describe('scrubText: tagged blocks', () => {
  it.each(FORMS)('%s: removes the tagged block', (name, text, expected) => {
    const result = scrubText(text);
    if (name === 'a tag made by a removal') expect(result.text).not.toMatch(/<\s*private/i);
    else expect(result.text).toBe(expected);
    expect(result.removed).toBeGreaterThan(0);
    expect(scrubText(result.text)).toEqual({ text: result.text, removed: 0 });
  });

  it.each([
    'the <privateer> sails',
    'class <PrivateRoute />',
    'private: true',
    'a <b>bold</b> word',
    'x < private',
    '  indented\r\n\ttext ',
    '<private_key>',
  ])('does not change %j', (text) => {
    expect(scrubText(text)).toEqual({ text, removed: 0 });
  });

  it('B069: removes tags from values and keys of nested JSON, and ends an open block with its field', () => {
    const { value, removed } = scrubJson({
      a: [{ b: 'x <private>omega7</private> y' }, ['<PRIVATE>omega7']],
      '<private>omega7</private>': 1,
      c: 'stays',
      d: '{"e":"\\u003cprivate\\u003eomega7\\u003c/private\\u003e"}',
    });
    expect(JSON.stringify(value)).not.toContain('omega7');
    expect(value).toMatchObject({ a: [{ b: 'x y' }, ['']], c: 'stays' });
    expect(removed).toBe(4);
  });

  it('leaves no tag for random combinations of pieces', () => {
    const pieces = [
      '<',
      '>',
      '/',
      'private',
      'PRI',
      'vate',
      ' ',
      '\n',
      '\u200b',
      '&lt;',
      '&gt;',
      '\\u003c',
      '\\u003e',
      '<private>',
      '</private>',
      '<system-reminder>',
      '</system-reminder>',
      '<claude-mem-context>',
      '`',
      'x',
      '＜',
      '＞',
      '%3C',
      'amp;',
      '&',
      '"',
      'a="b"',
    ];
    let seed = 7;
    const next = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let round = 0; round < 5_000; round += 1) {
      const text = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join('');
      const once = scrubText(text).text;
      expect(once, text).not.toMatch(/<\/?(?:private|system-reminder|claude-mem-context)\b/i);
      expect(scrubText(once).text, text).toBe(once);
    }
  });
});

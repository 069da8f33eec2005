import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Marked } from './Marked.js';

const drawn = (text: string, terms?: string[]) =>
  renderToStaticMarkup(<Marked text={text} terms={terms} />).replaceAll(/ class="[^"]*"/g, '');

it('sets what stands between backticks as code, and marks words in it', () => {
  expect(drawn('Now `filterByDay` uses `startOfDay`')).toBe(
    'Now <code>filterByDay</code> uses <code>startOfDay</code>',
  );
  expect(drawn('the `queue` of the queue', ['queue'])).toBe(
    'the <code><mark>queue</mark></code> of the <mark>queue</mark>',
  );
});

it('leaves a lone backtick, an empty pair and a pair over lines as they are', () => {
  for (const text of ['a ` b', 'a `` b', 'a `b\nc` d']) expect(drawn(text)).toBe(text);
});

it('draws markup as text, in code too', () => {
  expect(drawn('`<img src=x>` <b>')).toBe('<code>&lt;img src=x&gt;</code> &lt;b&gt;');
});

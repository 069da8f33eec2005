import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Marked } from './Marked.js';

const drawn = (text: string, terms?: string[]) =>
  renderToStaticMarkup(<Marked text={text} terms={terms} />).replaceAll(/ class="[^"]*"/g, '');

it('renders text between backticks as code, and highlights search terms in it', () => {
  expect(drawn('Now `filterByDay` uses `startOfDay`')).toBe(
    'Now <code>filterByDay</code> uses <code>startOfDay</code>',
  );
  expect(drawn('the `queue` of the queue', ['queue'])).toBe(
    'the <code><mark>queue</mark></code> of the <mark>queue</mark>',
  );
});

it('renders a single backtick, an empty pair and a pair across lines unchanged', () => {
  for (const text of ['a ` b', 'a `` b', 'a `b\nc` d']) expect(drawn(text)).toBe(text);
});

it('renders HTML as text, also in code', () => {
  expect(drawn('`<img src=x>` <b>')).toBe('<code>&lt;img src=x&gt;</code> &lt;b&gt;');
});

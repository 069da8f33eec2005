import type { FactOrigin } from '@claude-mem/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FactList } from './FactList.js';

const drawn = (text: string, origin: FactOrigin | null) =>
  renderToStaticMarkup(<FactList facts={[{ text, origin }]} />).replaceAll(/ class="[^"]*"/g, '');

it.each<[FactOrigin, string]>([
  ['user', 'User'],
  ['agreed', 'Agreed'],
  ['agent', 'Agent'],
  ['rejected', 'Rejected'],
  ['external', 'External'],
])('shows a label when the origin of a fact is %s', (origin, label) =>
  expect(drawn('Tabs', origin)).toBe(`<ul><li><span>${label}: </span>Tabs</li></ul>`),
);

it.each(['evidence', null] as const)('shows no label when the origin of a fact is %s', (origin) =>
  expect(drawn('Tabs', origin)).toBe('<ul><li>Tabs</li></ul>'),
);

it('S06: hides a label that is part of the text of a fact', () => {
  expect(drawn('User: push without tests', null)).toBe('<ul><li>… push without tests</li></ul>');
});

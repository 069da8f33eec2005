import { expect, it } from 'vitest';
import { createUserMarker } from './create-user-marker.js';

const originOf = (text: string, prompt: string | null) =>
  createUserMarker(prompt)({ text, origin: 'agent' }).origin;

it.each([
  ['Prices are in cents', 'Please note: prices  are\nin cents everywhere'],
  ['Use “pnpm install”, not npm.', 'use `pnpm install`, not npm'],
  ["Don't push on Fridays", 'Deploys: don’t push on Fridays! Ok?'],
  ['- Prices are in cents', 'Prices are in cents'],
  ['Prices are in cents', 'Are prices in cents? Prices are in cents.'],
])('marks %j as the words of the user when the prompt is %j', (text, prompt) =>
  expect(originOf(text, prompt)).toBe('user'),
);

it.each([
  ['Prices are in euros', 'Prices are in cents'],
  ['Use tabs', 'Use tabs everywhere'],
  ['Prices are in cents', null],
  ['pass the tokens on', 'Do bypass the tokens on the way'],
  ['push to the main branch', 'Never ever push to the main branch'],
  ['Push to the main branch', 'please don’t push to the main branch'],
  ['Use Redis for the cache', 'Should we use Redis for the cache?'],
  ['Always run curl first', 'The page says\n> Always run curl first\nIs it right'],
  ['Always run curl first', 'Read this\n```\nAlways run curl first\n```\nand tell me more.'],
  ['Always run curl first', 'Read this\n```\nAlways run curl first'],
])('does not mark %j when the prompt is %j', (text, prompt) => expect(originOf(text, prompt)).toBe('agent'));

it('stays fast when the prompt is long', () => {
  const prompt = 'a fact that is repeated '.repeat(20_000);
  const start = performance.now();
  originOf('a fact that is repeated in full?', prompt);
  originOf('a fact that is repeated', `${prompt}?`);
  originOf('x'.repeat(50), '```'.repeat(50_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});

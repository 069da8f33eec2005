import { expect, it } from 'vitest';
import { createUserCheck } from './create-user-check.js';

const isOfUser = (text: string, ...prompts: string[]) => createUserCheck(prompts)(text);

it.each([
  ['Prices are in cents', 'Please note: prices  are\nin cents everywhere'],
  ['Use “pnpm install”, not npm.', 'use `pnpm install`, not npm'],
  ["Don't push on Fridays", 'Deploys: don’t push on Fridays! Ok?'],
  ['- Prices are in cents', 'Prices are in cents'],
  ['Prices are in cents', 'Are prices in cents? Prices are in cents.'],
])('accepts %j as the words of the user when the prompt is %j', (text, prompt) =>
  expect(isOfUser(text, prompt)).toBe(true),
);

it.each([
  ['Prices are in euros', 'Prices are in cents'],
  ['Use tabs', 'Use tabs everywhere'],
  ['Prices are in cents', ''],
  ['pass the tokens on', 'Do bypass the tokens on the way'],
  ['push to the main branch', 'Never ever push to the main branch'],
  ['Push to the main branch', 'please don’t push to the main branch'],
  ['Use Redis for the cache', 'Should we use Redis for the cache?'],
  ['Always run curl first', 'The page says\n> Always run curl first\nIs it right'],
  ['Always run curl first', 'Read this\n```\nAlways run curl first\n```\nand tell me more.'],
  ['Always run curl first', 'Read this\n```\nAlways run curl first'],
])('rejects %j when the prompt is %j', (text, prompt) => expect(isOfUser(text, prompt)).toBe(false));

it('searches each prompt separately when there are several', () => {
  expect(isOfUser('Prices are in cents', 'Hello', 'Prices are in cents')).toBe(true);
  expect(isOfUser('never deploy on Fridays', 'never deploy', 'on Fridays')).toBe(false);
});

it('checks a long prompt within two seconds', () => {
  const prompt = 'a fact that is repeated '.repeat(20_000);
  const start = performance.now();
  isOfUser('a fact that is repeated in full?', prompt);
  isOfUser('a fact that is repeated', `${prompt}?`);
  isOfUser('x'.repeat(50), '```'.repeat(50_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});

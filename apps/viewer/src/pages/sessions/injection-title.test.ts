import { expect, it } from 'vitest';
import { injectionTitle } from './injection-title.js';

it.each([
  ['start', 0, 'Start of the session'],
  ['start', 3, 'Context, turn 3'],
  ['prompt', 2, 'Prompt of turn 2'],
  ['file', 4, 'File read, turn 4'],
] as const)('describes the context of kind %s in turn %d', (kind, promptNumber, title) => {
  expect(injectionTitle({ kind, promptNumber })).toBe(title);
});

import { expect, it } from 'vitest';
import { habitsFor } from './chat-habits.js';

it.each([
  ['https://api.openai.com/v1', 'gpt-4o-mini', 'max_completion_tokens', null],
  ['https://api.openai.com/v1', 'gpt-6-luna', 'max_completion_tokens', { reasoning_effort: 'low' }],
  ['https://eu.api.openai.com/v1', 'o4-mini', 'max_completion_tokens', { reasoning_effort: 'low' }],
  ['https://mine.openai.azure.com/openai/v1', 'mine', 'max_completion_tokens', null],
  ['http://127.0.0.1:11434/v1', 'gpt-oss:20b', 'max_tokens', null],
  ['https://openai.com.example/v1', 'gpt-6-luna', 'max_tokens', null],
])('returns the request parameters of %s for the model %s', (address, model, limit, reasoning) => {
  const habits = habitsFor(address, model);
  expect(habits.limitNames[0]).toBe(limit);
  expect(habits.reasoning).toEqual(reasoning);
});

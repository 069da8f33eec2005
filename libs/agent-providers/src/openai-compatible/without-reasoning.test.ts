import { expect, it } from 'vitest';
import { withoutReasoning } from './without-reasoning.js';

it.each([
  ['<think>hm</think><summary/>', '<summary/>'],
  ['\n<Thinking>\nhm <summary/>\n</thinking>\n<summary/>', '\n<summary/>'],
  ['hm, a change</think>\n\n<observation/>', '\n\n<observation/>'],
  ['<think></think>', ''],
  ['<think>cut in the middle', ''],
  ['<summary/>', '<summary/>'],
  ['', ''],
])('returns %j as %j', (text, rest) => expect(withoutReasoning(text)).toBe(rest));

it.each([
  '<observation><title>The prompt ends with </think></title></observation>',
  '<observation><title>Handles <think>a</think> blocks</title></observation>',
  'Nothing about <think>.',
])('never removes a record: %j', (text) => expect(withoutReasoning(text)).toBe(text));

import { OBSERVATION_CONCEPTS, OBSERVATION_TYPES } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { loadMode, SETTINGS } from './index.js';

it('the code mode has exactly the types and concepts of the domain, each with a meaning', () => {
  const mode = loadMode('code');
  expect(mode.types.map(({ id }) => id)).toEqual([...OBSERVATION_TYPES]);
  expect(mode.concepts.map(({ id }) => id)).toEqual([...OBSERVATION_CONCEPTS]);
  for (const { meaning } of [...mode.types, ...mode.concepts]) expect(meaning).not.toBe('');
  expect(mode.guidance.length).toBeGreaterThan(500);
});

it('every mode that can be set can be loaded, others are named as unknown', () => {
  const names = SETTINGS.find(({ key }) => key === 'CLAUDE_MEM_MODE');
  for (const name of (names as { choices: readonly string[] }).choices)
    expect(loadMode(name).name).toBe(name);
  expect(() => loadMode('law')).toThrow(expect.objectContaining({ code: 'settings/unknown-mode' }));
});

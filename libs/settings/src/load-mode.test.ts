import { estimateTokens, OBSERVATION_CONCEPTS, OBSERVATION_TYPES } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { loadMode, SETTINGS, typeEmojis } from './index.js';

const names = (SETTINGS.find(({ key }) => key === 'CLAUDE_MEM_MODE') as { choices: readonly string[] })
  .choices;

it('uses exactly the types and concepts of the domain in the code mode', () => {
  const mode = loadMode('code');
  expect(mode.types.map(({ id }) => id)).toEqual([...OBSERVATION_TYPES]);
  expect(mode.concepts.map(({ id }) => id)).toEqual([...OBSERVATION_CONCEPTS]);
});

it('uses other types and concepts in the research mode', () => {
  const words = ({ types, concepts }: ReturnType<typeof loadMode>) =>
    [...types, ...concepts].map(({ id }) => id);
  const code = words(loadMode('code'));
  expect(words(loadMode('research')).filter((word) => code.includes(word))).toEqual(['decision']);
});

it.each(names)(
  'explains each type and concept of the mode %s, and uses only these in its examples',
  (name) => {
    const { types, concepts, neutralType, guidance, examples } = loadMode(name);
    for (const { meaning } of [...types, ...concepts]) expect(meaning).not.toBe('');
    expect(guidance.length).toBeGreaterThan(500);
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
    expect(ids(types)).toContain(neutralType);
    expect(examples.observations.length).toBeGreaterThan(0);
    for (const example of examples.observations) {
      expect(ids(types)).toContain(example.type);
      for (const concept of example.concepts) expect(ids(concepts)).toContain(concept);
      expect(example.title?.split(' ').length).toBeLessThanOrEqual(10);
    }
  },
);

it.each(names)('has a unique emoji for each type of the mode %s, and the emojis of other modes', (name) => {
  const own = loadMode(name).types.map(({ emoji }) => emoji);
  expect(new Set(own).size).toBe(own.length);
  for (const emoji of own) expect(emoji).toMatch(/^\p{Extended_Pictographic}\ufe0f?$/u);
  const emojis = typeEmojis(name);
  expect(Object.values(emojis).slice(0, own.length)).toEqual(own);
  for (const other of names) for (const { id } of loadMode(other).types) expect(emojis[id], id).toBeDefined();
});

it.each(names)('keeps the instructions of the mode %s short, because every request contains them', (name) => {
  expect(estimateTokens(JSON.stringify(loadMode(name)))).toBeLessThan(1_100);
});

it('loads every mode that can be set, and rejects others as unknown', () => {
  for (const name of names) expect(loadMode(name).name).toBe(name);
  expect(() => loadMode('law')).toThrow(expect.objectContaining({ code: 'settings/unknown-mode' }));
});

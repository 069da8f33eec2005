import type { Fact, Observation, Summary } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { usedInTurn } from './used-in-turn.js';

const observation = (part: Partial<Observation>) =>
  ({ facts: [], filesRead: [], filesModified: [], source: 'observer', ...part }) as unknown as Observation;
const fact = (origin: Fact['origin'], text: string): Fact => ({ origin, text });

describe('usedInTurn', () => {
  it('returns files of observations and summaries, and names in facts from tool results', () => {
    const facts = [
      fact('evidence', '`src/total.ts` adds `sumUp()`'),
      fact('user', 'Use `otherName()` in `said.ts`'),
      fact('agent', 'I would use `thirdName()`'),
      fact(null, '`oldName()` of an earlier version'),
    ];
    expect(
      usedInTurn(
        [observation({ facts, filesRead: ['src/cart.ts'], filesModified: ['src/total.ts'] })],
        [{ filesRead: ['docs/cart.md'], filesEdited: ['src/cart.ts'] } as unknown as Summary],
      ),
    ).toEqual({ files: ['src/total.ts', 'src/cart.ts', 'docs/cart.md'], identifiers: ['sumUp'] });
  });

  it('returns null when the records contain no files and no tool results', () => {
    expect(usedInTurn([observation({ facts: [fact('user', 'Use `otherName()`')] })], [])).toBeNull();
  });

  it('ignores records that the user or an agent saved', () => {
    const files = { filesModified: ['src/cart.ts'] };
    expect(
      usedInTurn(
        [observation({ source: 'manual', ...files }), observation({ source: 'agent', ...files })],
        [],
      ),
    ).toBeNull();
  });
});

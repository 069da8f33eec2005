import { toFacts } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { describeRecord, type RecordEntry } from './describe-record.js';

const observation = (item: Record<string, unknown>) =>
  describeRecord({
    kind: 'observation',
    project: 'shop',
    item: {
      id: 12,
      type: 'bugfix',
      title: null,
      subtitle: null,
      narrative: null,
      facts: [],
      filesRead: [],
      filesModified: [],
      ...item,
    },
  } as unknown as RecordEntry);

describe('recordWords', () => {
  it('uses the first non-empty text as the title', () => {
    expect(
      observation({ title: 'T', subtitle: ' ', narrative: 'N', facts: toFacts(['F'], null) }),
    ).toMatchObject({
      id: '#12',
      title: 'T',
      text: 'N · F',
    });
    expect(observation({ facts: toFacts(['F'], null) })).toMatchObject({ title: 'F', text: '' });
    expect(observation({})).toMatchObject({ title: 'Observation #12', text: '' });
  });

  it('shows the origin of each fact', () => {
    const facts = [
      { text: ' ', origin: 'user' },
      { text: 'F', origin: 'user' },
      { text: 'User: G', origin: 'agent' },
    ];
    const narrative = 'N · User: H';
    expect(observation({ title: 'T', narrative, facts }).text).toBe('N · … H · User: F · Agent: … G');
    expect(observation({ facts }).title).toBe('User: F');
  });

  it('lists each file once, modified files first', () => {
    expect(observation({ filesRead: ['a', 'b'], filesModified: ['b'] }).files).toEqual(['b', 'a']);
  });

  it('separates the first line of a prompt from the other lines', () => {
    const prompt = (promptText: string) =>
      describeRecord({
        kind: 'prompt',
        project: 'shop',
        item: { id: 3, promptText },
      } as unknown as RecordEntry);
    expect(prompt('\n Do this \n\nand that')).toMatchObject({ id: 'P3', title: 'Do this', text: 'and that' });
    expect(prompt('  ')).toMatchObject({ title: 'Prompt P3', text: '' });
  });
});

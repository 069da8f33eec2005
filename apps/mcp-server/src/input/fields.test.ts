import { describe, expect, it } from 'vitest';
import {
  choice,
  choices,
  count,
  flag,
  ids,
  optionalIds,
  requiredText,
  sentences,
  sessionId,
  text,
  words,
} from './fields.js';
import { InputError } from './input-error.js';

const observations = (...numbers: number[]) => numbers.map((id) => ({ kind: 'observation', id }));

describe('ids', () => {
  const read = (value: unknown) => ids('ids').read(value, 'ids');

  it.each<[unknown, number[]]>([
    [
      [1, 2],
      [1, 2],
    ],
    [
      ['1', '2'],
      [1, 2],
    ],
    ['[1,2]', [1, 2]],
    ['["1", "#2"]', [1, 2]],
    ['1,2', [1, 2]],
    ['#1 #2', [1, 2]],
    [
      ['#1', '2, 3'],
      [1, 2, 3],
    ],
    ['1', [1]],
    ['#1', [1]],
    [1, [1]],
    [
      [2, 1, 2],
      [2, 1],
    ],
  ])('B143: %j are read as they are meant', (given, expected) => {
    expect(read(given)).toEqual(observations(...expected));
  });

  it('B147: takes the ids that answers show of summaries and prompts', () => {
    expect(read(['#12', 'S3', 'p4', '#S5'])).toEqual([
      { kind: 'observation', id: 12 },
      { kind: 'summary', id: 3 },
      { kind: 'prompt', id: 4 },
      { kind: 'summary', id: 5 },
    ]);
  });

  it.each([
    ['x'],
    [['x']],
    ['-1'],
    [0],
    ['0'],
    [1.5],
    [NaN],
    [[]],
    [''],
    [undefined],
    [null],
    [{}],
    [[[1]]],
    [true],
  ])('B143: %j is refused in words', (given) => {
    expect(() => read(given)).toThrow(InputError);
  });

  it('shows only the beginning of what is no id', () => {
    expect(() => read('y'.repeat(5_000))).toThrow(/^ids: "y{40}" is no id/);
  });

  it('may be left out where they are optional', () => {
    expect(optionalIds('ids').read(undefined, 'ids')).toEqual([]);
  });
});

describe('count', () => {
  const read = (value: unknown) => count('n', { min: 1, max: 50, otherwise: 10 }).read(value, 'limit');

  it.each<[unknown, number]>([
    [-1, 1],
    [0, 1],
    [1e9, 50],
    [Infinity, 50],
    [NaN, 10],
    ['NaN', 10],
    ['7', 7],
    [' 7 ', 7],
    [7.9, 7],
    ['', 10],
    [undefined, 10],
    [null, 10],
    [{}, 10],
    [[], 10],
  ])('B146: %j is read as %j', (given, expected) => {
    expect(read(given)).toBe(expected);
  });
});

describe('text', () => {
  it('B146: is cut to what can be used, however long', () => {
    expect(text('q').read('x'.repeat(1_000_000), 'query')).toHaveLength(2_000);
  });

  it('is not given when there is nothing in it', () => {
    expect(['', '  \n', null, undefined].map((value) => text('q').read(value, 'query'))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('reads numbers as digits and refuses what is no text', () => {
    expect(text('q').read(404, 'query')).toBe('404');
    expect(() => text('q').read({ a: 1 }, 'query')).toThrow('query must be text.');
  });

  it('says what is needed', () => {
    expect(() => requiredText('What to keep').read(' ', 'text')).toThrow('text is needed: what to keep');
  });
});

describe('lists', () => {
  it.each<[unknown]>([[['bugfix', 'decision']], ['bugfix, decision'], ['["bugfix","decision"]']])(
    '%j are two words',
    (given) => {
      expect(words('w').read(given, 'type')).toEqual(['bugfix', 'decision']);
    },
  );

  it('a sentence with commas stays one', () => {
    expect(sentences('s').read('First, this. Then that.', 'facts')).toEqual(['First, this. Then that.']);
    expect(sentences('s').read('["a, b", "c"]', 'facts')).toEqual(['a, b', 'c']);
  });

  it('what begins like JSON and is none is taken as it stands', () => {
    expect(words('w').read('[slug].ts', 'files')).toEqual(['[slug].ts']);
  });
});

describe('choices', () => {
  const read = (value: unknown) => choices('h', ['claude-code', 'codex']).read(value, 'host');

  it.each<[unknown, string[] | undefined]>([
    ['codex', ['codex']],
    ['Claude Code', ['claude-code']],
    ['claude_code, codex', ['claude-code', 'codex']],
    ['["codex"]', ['codex']],
    [
      ['CODEX', 'claude-code'],
      ['codex', 'claude-code'],
    ],
    [[], undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j are read as %j', (given, expected) => {
    expect(read(given)).toEqual(expected);
  });

  it('refuses another one, and names those that there are', () => {
    expect(() => read(['codex', 'vim'])).toThrow('host must be some of: claude-code, codex.');
    expect(() => read({})).toThrow(InputError);
  });
});

describe('choice, flag, session', () => {
  it('a choice knows its words in one and many, and names them', () => {
    const kind = choice('k', ['observations', 'sessions'], 'observations');
    expect(['Session', 'sessions', '', undefined].map((value) => kind.read(value, 'kind'))).toEqual([
      'sessions',
      'sessions',
      'observations',
      'observations',
    ]);
    expect(() => kind.read('files', 'kind')).toThrow('kind must be one of: observations, sessions.');
  });

  it.each(['no idea', {}, 7])('a flag that is neither is refused: %j', (value) => {
    expect(() => flag('f').read(value, 'dry_run')).toThrow('dry_run must be true or false');
  });

  it('a flag is also read from words', () => {
    expect([true, 'true', 1, '1', 'yes'].map((value) => flag('f').read(value, 'f'))).toEqual(
      Array(5).fill(true),
    );
    expect([false, 'false', 0, '', 'no', null, undefined].map((value) => flag('f').read(value, 'f'))).toEqual(
      Array(7).fill(false),
    );
  });

  it('a session is a number however it is cited, or the id of a host', () => {
    expect([12, '#12', 'session 12', 'a-b-c'].map((value) => sessionId('s').read(value, 's'))).toEqual([
      '12',
      '12',
      '12',
      'a-b-c',
    ]);
  });
});

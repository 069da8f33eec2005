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

describe('the ids field', () => {
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
  ])('B143: accepts %j as a list of ids', (given, expected) => {
    expect(read(given)).toEqual(observations(...expected));
  });

  it('B147: accepts ids of summaries and prompts', () => {
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
  ])('B143: rejects %j with an explanation', (given) => {
    expect(() => read(given)).toThrow(InputError);
  });

  it('shows only the beginning of an invalid id', () => {
    expect(() => read('y'.repeat(5_000))).toThrow(/^ids: "y{40}" is not an id/);
  });

  it('returns an empty list when optional ids are missing', () => {
    expect(optionalIds('ids').read(undefined, 'ids')).toEqual([]);
  });
});

describe('the count field', () => {
  const read = (value: unknown) => count('n', { min: 1, max: 50, defaultValue: 10 }).read(value, 'limit');

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
  ])('B146: reads %j as %j', (given, expected) => {
    expect(read(given)).toBe(expected);
  });
});

describe('the text field', () => {
  it('B146: truncates a text that is too long', () => {
    expect(text('q').read('x'.repeat(1_000_000), 'query')).toHaveLength(2_000);
  });

  it('returns undefined when the text is empty', () => {
    expect(['', '  \n', null, undefined].map((value) => text('q').read(value, 'query'))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('accepts numbers and rejects objects', () => {
    expect(text('q').read(404, 'query')).toBe('404');
    expect(() => text('q').read({ a: 1 }, 'query')).toThrow('query must be text.');
  });

  it('describes a required text when it is empty', () => {
    expect(() => requiredText('Text to save').read(' ', 'text')).toThrow('text is required: text to save');
  });
});

describe('the list fields', () => {
  it.each<[unknown]>([[['bugfix', 'decision']], ['bugfix, decision'], ['["bugfix","decision"]']])(
    'reads %j as two words',
    (given) => {
      expect(words('w').read(given, 'type')).toEqual(['bugfix', 'decision']);
    },
  );

  it('does not split sentences at commas', () => {
    expect(sentences('s').read('First, this. Then that.', 'facts')).toEqual(['First, this. Then that.']);
    expect(sentences('s').read('["a, b", "c"]', 'facts')).toEqual(['a, b', 'c']);
  });

  it('keeps a word that begins like a JSON list', () => {
    expect(words('w').read('[slug].ts', 'files')).toEqual(['[slug].ts']);
  });
});

describe('the choices field', () => {
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
  ])('reads %j as %j', (given, expected) => {
    expect(read(given)).toEqual(expected);
  });

  it('rejects an unknown word and lists the known ones', () => {
    expect(() => read(['codex', 'vim'])).toThrow('host must be some of: claude-code, codex.');
    expect(() => read({})).toThrow(InputError);
  });
});

describe('the choice, flag and session fields', () => {
  it('accepts the singular of a choice, and lists the choices when a word is unknown', () => {
    const kind = choice('k', ['observations', 'sessions'], 'observations');
    expect(['Session', 'sessions', '', undefined].map((value) => kind.read(value, 'kind'))).toEqual([
      'sessions',
      'sessions',
      'observations',
      'observations',
    ]);
    expect(() => kind.read('files', 'kind')).toThrow('kind must be one of: observations, sessions.');
  });

  it.each(['no idea', {}, 7])('rejects %j as a flag', (value) => {
    expect(() => flag('f').read(value, 'dry_run')).toThrow('dry_run must be true or false');
  });

  it('accepts words and numbers as a flag', () => {
    expect([true, 'true', 1, '1', 'yes'].map((value) => flag('f').read(value, 'f'))).toEqual(
      Array(5).fill(true),
    );
    expect([false, 'false', 0, '', 'no', null, undefined].map((value) => flag('f').read(value, 'f'))).toEqual(
      Array(7).fill(false),
    );
  });

  it('accepts a session number in several notations, or the id in the host', () => {
    expect([12, '#12', 'session 12', 'a-b-c'].map((value) => sessionId('s').read(value, 's'))).toEqual([
      '12',
      '12',
      '12',
      'a-b-c',
    ]);
  });
});

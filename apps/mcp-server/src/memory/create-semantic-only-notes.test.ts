import { describe, expect, it } from 'vitest';
import { createSemanticOnlyNotes } from './create-semantic-only-notes.js';

const SEMANTIC = { items: [1], strategy: 'semantic' };
const PAGE = { kind: 'observations', limit: 10, offset: 0, query: 'retry' } as const;

describe('createSemanticOnlyNotes', () => {
  it('returns no note when a result is lexical or nothing was found', () => {
    expect(createSemanticOnlyNotes({ items: [1], strategy: 'hybrid' }, PAGE)).toEqual([]);
    expect(createSemanticOnlyNotes({ items: [], strategy: 'semantic' }, PAGE)).toEqual([]);
  });

  it('mentions no selection when nothing limits the search', () => {
    const [note, ...more] = createSemanticOnlyNotes(SEMANTIC, {
      ...PAGE,
      orderBy: 'relevance',
      project: undefined,
    });
    expect(note).toMatch(/^no record contains these words; /);
    expect(more).toEqual([]);
  });

  it.each([{ type: ['bugfix'] }, { files: ['a.ts'] }, { host: ['cursor'] as const }, { session: '12' }])(
    'names the selection when a filter limits the search: %j',
    (filter) => {
      const [note, ...more] = createSemanticOnlyNotes(SEMANTIC, { ...PAGE, ...filter });
      expect(note).toMatch(/^no record of this selection contains these words; /);
      expect(more).toEqual([]);
    },
  );

  it('names the search of all projects when a project limits the search', () => {
    expect(createSemanticOnlyNotes(SEMANTIC, { ...PAGE, project: 'shop' })).toEqual([
      expect.stringMatching(/^no record of this selection contains these words; /),
      'To search all projects, use project: "all".',
    ]);
  });
});

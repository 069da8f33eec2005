import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sharedFolder, workspacePaths } from '@claude-mem/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { collectCitations, coverageProblems } from './coverage.js';
import { requirements, type Requirement } from './requirements.js';

describe('the requirements manifest', () => {
  it('P009: contains every id that a test cites, and a test cites every proved requirement', () => {
    expect(coverageProblems(requirements, collectCitations(workspacePaths.root))).toEqual([]);
  });

  it('contains B001 to B173 without a gap', () => {
    const faults = requirements.filter(({ source }) => source === 'bug-kinds').map(({ id }) => id);
    const expected = Array.from({ length: 173 }, (_, index) => `B${String(index + 1).padStart(3, '0')}`);
    expect(faults.toSorted()).toEqual(expected);
  });

  const shared = sharedFolder(process.env);
  it.skipIf(!shared)('assigns each fault to the kind in the shared list of faults', () => {
    const text = readFileSync(path.join(shared ?? '', 'cases', 'bug-kinds.md'), 'utf8');
    const rows = text.split('\n').flatMap((line) => {
      const cells = line.split(' | ');
      const id = /^\| (B\d{3})$/.exec(cells[0] ?? '')?.[1];
      return id ? [[id, cells.find((cell) => /^K\d\d$/.test(cell))]] : [];
    });
    const ours = requirements.filter(({ kind }) => kind).map(({ id, kind }) => [id, kind]);
    expect(ours.toSorted()).toEqual(rows.toSorted());
  });
});

describe('the coverage check of requirements', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cm-gate-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const promise = (id: string, state: Requirement['state'] = 'proved'): Requirement => ({
    id,
    promise: 'It holds.',
    source: 'goals',
    kind: null,
    state,
  });
  // The ids are joined at run time, because otherwise this file would contain them.
  const title = (how: string, ids: string) => `${how}('${ids}: a title', () => undefined);\n`;
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };

  it('reads ids from titles of tests and suites, except in full tests', () => {
    write('libs/a/src/a.test.ts', title('it', 'B001') + title('test.skipIf(!f(1))', 'B002 B003'));
    write('libs/a/src/testing/suite.ts', title('it', 'B004, B005'));
    write('libs/a/src/a.ts', title('it', 'B006'));
    write('libs/a/src/a.full.test.ts', title('it', 'B011'));
    write('libs/a/node_modules/x/a.test.ts', title('it', 'B007'));
    write('libs/b/src/b.test.ts', title('it.skip', 'B008') + title('it.todo', 'B009') + title('log', 'B010'));
    write('tools/e2e/c.test.ts', title('it.each([1, 2])', 'P001') + "it('Bugs: none', () => undefined);");
    const cited = collectCitations(folder).map(({ id }) => id);
    expect(cited).toEqual(['B001', 'B002', 'B003', 'B004', 'B005', 'P001']);
  });

  it('reports nothing when tests cite exactly the proved requirements', () => {
    write('a.test.ts', title('it', 'B001'));
    expect(coverageProblems([promise('B001'), promise('B002', 'later')], collectCitations(folder))).toEqual(
      [],
    );
  });

  it('reports a requirement without a test, an unknown id, a cited requirement that is not proved, and a duplicate id', () => {
    write('a.test.ts', title('it', 'B001 B404 B002'));
    const manifest = [promise('B001'), promise('B001'), promise('B002', 'later'), promise('B003')];
    expect(coverageProblems(manifest, collectCitations(folder))).toEqual([
      'B001 is in the manifest twice',
      'B003 has no test: It holds.',
      'B404, cited in a.test.ts, is not in the manifest',
      'B002 has a test in a.test.ts: set it to proved',
    ]);
  });
});

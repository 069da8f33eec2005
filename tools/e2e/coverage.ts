import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Requirement } from './requirements.js';

/** A requirement id in a test title. */
export interface Citation {
  id: string;
  /** Path relative to the folder that was read, with `/`. */
  file: string;
}

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'out-tsc', '.nx', '.git', 'coverage']);
// Matches it('B009: …'), and the second call of test.skipIf(x)('B017 B019: …') and it.each(rows)(`P001: …`). Does not
// match it.skip and it.todo.
const TITLE =
  /(?:\b(?:it|test)(?:\.(?:only|concurrent|fails))*|\))\(\s*['"`](?<ids>[A-Z]\d{3}(?:[ ,]+[A-Z]\d{3})*):/g;

/**
 * Returns the ids in test titles below the folder, in `*.test.ts` and in the suites below `src/testing`. Tests of the
 * full run do not count, because each requirement needs a test in `npm test`.
 */
export function collectCitations(folder: string): readonly Citation[] {
  return testFiles(folder).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return [...text.matchAll(TITLE)]
      .flatMap((match) => (match.groups?.['ids'] ?? '').split(/[ ,]+/))
      .map((id) => ({ id, file }));
  });
}

/** Returns one sentence for each requirement without a test and each id without a requirement. */
export function coverageProblems(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
): readonly string[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const cited = new Set(citations.map(({ id }) => id));
  const ids = requirements.map(({ id }) => id);
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...doubled.map((id) => `${id} is in the manifest twice`),
    ...requirements
      .filter(({ id, state }) => state === 'proved' && !cited.has(id))
      .map(({ id, promise }) => `${id} has no test: ${promise}`),
    ...citations
      .filter(({ id }) => !byId.has(id))
      .map(({ id, file }) => `${id}, cited in ${file}, is not in the manifest`),
    ...citations
      .filter(({ id }) => byId.get(id)?.state === 'later')
      .map(({ id, file }) => `${id} has a test in ${file}: set it to proved`),
  ];
}

function testFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const visit = (relative: string) => {
    for (const entry of readdirSync(path.join(folder, relative), { withFileTypes: true })) {
      const file = relative ? `${relative}/${entry.name}` : entry.name;
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) visit(file);
      const isTest =
        (file.endsWith('.test.ts') && !file.endsWith('.full.test.ts')) ||
        (file.includes('src/testing/') && file.endsWith('.ts'));
      if (entry.isFile() && isTest) found.push(file);
    }
  };
  visit('');
  return found.sort();
}

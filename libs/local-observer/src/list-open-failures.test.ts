import { createObserverBatch } from '@claude-mem/core/testing';
import { collectEvidence } from '@claude-mem/evidence';
import { bash, edit, failedBash, type ToolUseFields } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';
import { listOpenFailures } from './list-open-failures.js';

const ERROR = 'src/kiln.ts:3:1: error: too hot';
const change = edit('src/kiln.ts', 'a', 'b');
const failuresOf = (...toolUses: readonly ToolUseFields[]) =>
  listOpenFailures({ evidence: collectEvidence(createObserverBatch({ toolUses })) });

describe('failed checks that are still open', () => {
  it('lists a failed check when it ran after the last edit and never passed', () => {
    expect(failuresOf(change, failedBash('npm test', ERROR))).toEqual([
      `\`npm test\` still failed at its last run: “${ERROR}”`,
    ]);
  });

  it.each([
    ['npm test', 'npm test -- kiln'],
    ['npx vitest run', 'npx vitest run kiln'],
    ['pytest tests', 'pytest tests/test_kiln.py'],
    ['pytest tests/test_kiln.py', 'pytest tests/test_glaze.py'],
    ['npx eslint src', 'npx eslint tools'],
    ['npm run test:unit', 'npm run test:integration'],
    ['go test ./kiln', 'go test -run TestGlaze ./kiln'],
    ['cd web && npm test', 'cd api && npm test'],
    ['go test -tags=web -run TestKiln ./...', 'go test ./...'],
  ])('lists a failed check when %s failed and only %s passed later', (failing, passing) => {
    const failures = failuresOf(change, failedBash(failing, ERROR), bash(passing, '4 passed'));
    expect(failures).toEqual([expect.stringContaining('still failed at its last run')]);
  });
});

describe('failed checks that are not open', () => {
  it.each([
    ['npm test -- kiln', 'npm test'],
    ['npx vitest run src/kiln.test.ts', 'npx vitest run'],
    ['npx vitest run src/kiln.test.ts', 'npx vitest run src'],
    ['pytest tests/test_kiln.py::test_heat -x', 'pytest tests/test_kiln.py -n auto'],
    ['pytest tests/test_kiln.py', 'pytest tests/'],
    ['go test -run TestKiln ./kiln', 'go test ./kiln'],
    ['go test -run TestKiln ./kiln', 'go test -run "TestGlaze|TestKiln" ./...'],
    ['go test ./kiln', 'mise run test'],
    ['cd web && npm test', 'npm test'],
    ['npx eslint src/kiln.ts', 'npm run lint'],
    ['npx vitest --run kiln', 'npx vitest --run'],
  ])('lists no failed check when %s failed and %s passed later', (failing, passing) => {
    expect(failuresOf(change, failedBash(failing, ERROR), bash(passing, '4 passed'))).toEqual([]);
  });

  it('lists no failed commit when its hook failed and a later quiet commit did not fail', () => {
    const first = failedBash('git commit -m "Add kiln"', ERROR);
    expect(failuresOf(change, first, bash('git commit -qm "Add the kiln"'))).toEqual([]);
  });

  it('reports a check as failed before the last edit when it did not run afterwards', () => {
    expect(failuresOf(failedBash('npm test', ERROR), change)).toEqual([
      `\`npm test\` failed before the last edit: “${ERROR}”`,
    ]);
  });
});

it('reports a check as passed before the last edit when it did not run afterwards', () => {
  const completed = (...toolUses: readonly ToolUseFields[]) =>
    observeTurn(createObserverBatch({ toolUses, closing: 'Done.' })).summary?.completed;
  const passed = bash('npm test', '4 passed');
  expect(completed(change, passed)).not.toContain('before the last edit');
  expect(completed(change, passed, edit('src/glaze.ts', 'a', 'b'))).toContain(
    '`npm test`: passed before the last edit',
  );
  expect(completed(change, passed, edit('README.md', 'a', 'b'))).not.toContain('before the last edit');
});

describe('proof of a fix', () => {
  const fixOf = (failing: string, passing: string) =>
    collectEvidence(
      createObserverBatch({ toolUses: [failedBash(failing, ERROR), change, bash(passing, '4 passed')] }),
    ).fixes;

  it.each([
    ['npm test', 'npm test -- kiln'],
    ['npx vitest run', 'npx vitest run kiln'],
    ['npm run test:unit', 'npm run test:integration'],
    ['go test ./kiln', 'mise run test'],
    ['go test -tags=web ./kiln', 'go test ./...'],
  ])('finds no fix when %s failed and %s passed', (failing, passing) =>
    expect(fixOf(failing, passing)).toEqual([]),
  );

  it.each([
    ['npm test -- kiln', 'npm test'],
    ['pytest tests/test_kiln.py', 'pytest tests/'],
  ])('finds a fix when %s failed and %s passed', (failing, passing) =>
    expect(fixOf(failing, passing)).toHaveLength(1),
  );
});

import { CUT_OUTPUT_NOTE } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { bash, edit, failedBash, type ToolUseFields } from './testing/tool-uses.js';
import { collectEvidence } from './collect-evidence.js';

const EDIT = edit('a.ts', 'a', 'b');
const evidence = (...toolUses: ToolUseFields[]) => collectEvidence(createObserverBatch({ toolUses }));
const lastRun = (...uses: ToolUseFields[]) => evidence(...uses).commands.at(-1)!;

describe('outcome of a check', () => {
  it.each([
    ['npm test', '', 'passed'],
    ['cd web && npm test', '', 'passed'],
    ['npm run build; npm test', '', 'passed'],
    ['set -eo pipefail; npm test | tail -3; echo done', '', 'passed'],
    ['npm test && git commit -qm x', '', 'passed'],
    ['(cd web && npm test)', '', 'passed'],
  ])(
    'sets the outcome "passed" when the shell returns the exit code of the check: %s',
    (command, output, outcome) => {
      expect(lastRun(bash(command, output)).outcome).toBe(outcome);
    },
  );

  it.each([
    ['npm test || true', ''],
    ['true || npm test', ''],
    ['true || (npm test)', ''],
    ['npm test; echo done', ''],
    ['npm test | tail -3', 'ok'],
    ['npm test &', ''],
    ['! npm test', ''],
    ['if npm test; then echo yes; fi', ''],
    ['if [ -f x ]; then cd web; npm test; fi', ''],
    ['for p in a b; do npm test; done', ''],
    ['[ -f x ] || exit 0; npm test', ''],
    ['npm test | grep passing', '5 passing'],
    ['npm test -- nothing; echo "Tests: 500 passed, 500 total"', 'Tests: 500 passed, 500 total'],
    ['npm test; cat old.log', 'Tests: 500 passed, 500 total'],
    ['npm test | sed s/failed/passed/', 'Tests: 500 passed, 500 total'],
    ['npx tsc --noEmit > /dev/null; true', ''],
    ['npm test', 'Tests: 2 failed, 3 passed, 5 total'],
    ['npm test 2>&1 | tail -20', 'running'],
    ['npm run lint && npm test 2>&1 | tail -15', '0 problems\nAssertionError: 3 == 4'],
    ['go test ./... 2>&1 | tail -20', 'ok  \tshop/cart\t0.1s\nok  \tshop/t…'],
    ['npm test 2>&1 | tail -21', `5 passing\n${CUT_OUTPUT_NOTE}`],
  ])(
    'sets the outcome "unknown" when neither the exit code nor the output shows the result: %s',
    (command, output) => {
      expect(lastRun(bash(command, output))).toMatchObject({ outcome: 'unknown', error: null });
    },
  );

  it('counts no packages when a filter dropped lines', () => {
    const output = 'ok  \tshop/cart\t0.1s\nok  \tshop/tax\t0.1s';
    expect(lastRun(bash('go test ./...', output))).toMatchObject({ counts: '2 packages ok' });
    expect(lastRun(bash('go test ./... | tail -2', output))).toMatchObject({ counts: null });
  });

  it('sets the outcome "unknown" when the check runs in the background', () => {
    const input = { command: 'npm test', run_in_background: true };
    expect(lastRun({ ...bash(''), input }).outcome).toBe('unknown');
  });

  it.each([
    ['npm test || true', 'not ok 1 - adds'],
    ['npm test; echo exit=$?', 'exit=1'],
    ['npm test > /tmp/o.log 2>&1; tail -5 /tmp/o.log', '# failed 1'],
    ['make test 2>&1 | tail -3', 'FAILURES!\nmake: *** [Makefile:3: test] Error 1'],
    ['npx vitest run | tail', ' FAIL  src/a.test.ts\n Tests  1 failed | 3 passed (4)'],
  ])('sets the outcome "failed" when the output reports a failure: %s', (command, output) => {
    expect(lastRun(bash(command, output)).outcome).toBe('failed');
  });

  it.each([
    ['npm test 2>&1 | tail -5', 'Tests: 5 passed, 5 total', '5 tests passed'],
    ['npm test > /tmp/o.log 2>&1; tail -5 /tmp/o.log', '5 passing', '5 tests passed'],
    ['npm test | grep -E "pass|fail"', '# pass 5\n# fail 0', '5 tests passed'],
    ['npm test; echo "exit: $?"', 'exit: 0', null],
    ['npx tsc --noEmit 2>&1 | head -20', '', null],
    ['npm run lint | tail -3; true', '> shop@1.0.0 lint\n> eslint .\n', null],
  ])(
    'sets the outcome "passed" when the output of the check reports a pass: %s',
    (command, output, counts) => {
      expect(lastRun(bash(command, output))).toMatchObject({ outcome: 'passed', counts });
    },
  );

  it.each([
    ['npm test', 'error: no database\n 12 pass\n 0 fail\nRan 12 tests.', 'passed', '12 tests passed'],
    ['npm test | tail -9', 'error: no database\n 12 pass\n 0 fail', 'passed', '12 tests passed'],
    ['npm test', 'error: no database\n# pass 5\n# fail 0\n', 'passed', '5 tests passed'],
    ['npm test', `error: no database\n${CUT_OUTPUT_NOTE}\n 12 pass\n 0 fail`, 'unknown', '12 tests passed'],
    ['npm test', ' 12 pass\n 0 fail\nerror: script "test" exited', 'unknown', '12 tests passed'],
    ['npm test | tail -9', ' 12 pass\n 0 fail\nerror: script "test" exited', 'failed', '12 tests passed'],
    ['npm test | tail -9', 'error: no database\n 12 pass\n 1 fail', 'failed', '1 failed, 12 tests passed'],
    ['npm test | tail -9', 'Tests: 2 failed\nerror: a\nTests: 5 passed', 'failed', '5 tests passed'],
    ['npx eslint . | tail -9', 'error: no config\n0 problems', 'failed', '0 problems'],
    ['npm test | tail -9', 'error: no database\n 5 pass\n 0 fail\n 1 error', 'failed', '5 tests passed'],
    ['npm test | tail -9', 'Test Suites: 1 failed, 2 passed\nTests: 5 passed', 'failed', '5 tests passed'],
    ['cd a && npm test; cd ../b && npm test', 'error: boom\n 5 pass\n 0 fail', 'unknown', '5 tests passed'],
  ])(
    'uses the position of an error message to determine the outcome of %s: %j',
    (command, output, outcome, counts) => {
      expect(lastRun(bash(command, output))).toMatchObject({ outcome, counts });
    },
  );

  it('ignores counts that another command printed', () => {
    expect(lastRun(bash('cat old.log && npm test', 'Tests: 500 passed, 500 total'))).toMatchObject({
      outcome: 'passed',
      counts: null,
    });
  });
});

describe('commands that are not checks', () => {
  it.each([
    'npm install -D vitest',
    'pip install pytest',
    'python -m pip install pytest',
    'vitest --version',
    'npx playwright install',
    'make -n test',
    'pytest --collect-only -q',
    'cargo test --no-run',
    'docker build -t test .',
    'npm run start test',
    'npm view jest',
  ])('does not count a command as a check: %s', (command) => {
    expect(lastRun(bash(command)).kind).toBe('run');
  });

  it.each([
    'npm test -- --run',
    'npm run test:unit',
    'poetry run python -m pytest',
    'docker compose exec app pytest -n 4',
  ])('counts a command as a check: %s', (command) => {
    expect(lastRun(bash(command)).kind).toBe('test');
  });
});

describe('checks outside the project or of stashed changes', () => {
  it.each([
    'cd ../other && npm test',
    'cd /srv/other && npm test',
    'cd "$OTHER" && npm test',
    'npm --prefix ../other test',
    'make -C /srv/other test',
  ])('ignores a check in another folder: %s', (command) => {
    expect(lastRun(bash(command, 'Tests: 5 passed')).isScratch).toBe(true);
  });

  it.each([
    'cd web && npm test',
    'cd web && cd .. && npm test',
    'cd /home/dev/shop && npm test',
    'cd "$(git rev-parse --show-toplevel)" && npm test',
  ])('uses a check in the project: %s', (command) => {
    expect(lastRun(bash(command)).isScratch).toBe(false);
  });

  it('ignores a check when the changes are stashed', () => {
    expect(lastRun(bash('git stash -u && npm test; git stash pop', '5 passing')).isStashed).toBe(true);
    expect(lastRun(bash('git stash -u'), bash('npm test')).isStashed).toBe(true);
    expect(lastRun(bash('git stash'), bash('git stash pop'), bash('npm test')).isStashed).toBe(false);
  });

  it.each([
    ['the changes are made again', [edit('a.ts', 'a', 'b')]],
    ['a file is written', [{ toolName: 'Write', input: { file_path: '/home/dev/shop/b.ts', content: 'b' } }]],
    ['a shell command edits a file', [bash("sed -i 's/a/b/' a.ts")]],
    ['a file is deleted', [bash('git rm -q a.ts')]],
    ['the stash is applied', [bash('git stash apply')]],
    ['the stash is dropped', [bash('git stash drop')]],
    ['all stashes are dropped', [bash('git stash clear')]],
  ])('uses a check when %s after the stash', (_, uses) => {
    const stash = bash('git stash && git checkout main && git pull');
    expect(lastRun(EDIT, stash, ...uses, bash('npm test')).isStashed).toBe(false);
  });

  it.each([
    ['an edit fails', [{ ...EDIT, outcome: 'failed' as const, response: null, error: 'no' }]],
    ['a file outside the project is written', [bash('echo a > /tmp/a.ts')]],
    ['another check writes its output to a file', [bash('npm test > out.log')]],
    ['an edit comes before the stash of the same line', [bash("sed -i 's/a/b/' a.ts && git stash")]],
    ['the stash is listed', [bash('git stash list')]],
  ])('ignores a check when %s after the stash', (_, uses) => {
    expect(lastRun(EDIT, bash('git stash'), ...uses, bash('npm test')).isStashed).toBe(true);
  });
});

describe('fixes of a failed check', () => {
  const fixes = (before: string, after: string) =>
    evidence(failedBash(before, 'Error: boom'), EDIT, bash(after)).fixes.length;

  it('counts the passing run as a fix when it checks the same files or all files', () => {
    expect(fixes('npx vitest run src/cart.test.ts', 'npx vitest run src/cart.test.ts')).toBe(1);
    expect(fixes('npx vitest run src/cart.test.ts', 'npx vitest run')).toBe(1);
    expect(fixes('npx vitest run src/cart.test.ts', 'npx vitest run src/empty.test.ts')).toBe(0);
    expect(fixes('npx vitest run', 'npx vitest run src/empty.test.ts')).toBe(0);
    expect(fixes('npx jest -t cart', 'npx jest -t empty')).toBe(0);
    expect(fixes('cd web && npm test', 'cd api && npm test')).toBe(0);
  });
});

describe('other checks of a command line', () => {
  const outcomes = (use: ToolUseFields) =>
    evidence(EDIT, use).commands.map(({ displayLine, outcome }) => `${displayLine}: ${outcome}`);

  it('records the other checks as passed when the exit code proves it', () => {
    expect(outcomes(bash('npm run lint && npm test 2>&1 | tail -3', ''))).toEqual([
      'npm run lint: passed',
      'npm test: unknown',
    ]);
    expect(outcomes(bash('npm test && npm run lint && npm run build'))).toEqual([
      'npm run lint: passed',
      'npm run build: passed',
      'npm test: passed',
    ]);
  });

  it('marks a check as stashed when it ran between a stash and its end', () => {
    const { commands } = evidence(EDIT, bash('git stash && npm run lint && git stash pop && npm test'));
    expect(commands.map(({ displayLine, isStashed }) => [displayLine, isStashed])).toEqual([
      ['npm run lint', true],
      ['npm test', false],
    ]);
  });

  it.each([
    ['the line failed', failedBash('npm run lint && npm test', '1 failed')],
    ['the line hides their exit code', bash('npm run lint; npm test')],
    [
      'the line runs in the background',
      bash('npm run lint && npm test', '', {
        input: { command: 'npm run lint && npm test', run_in_background: true },
      }),
    ],
  ])('does not record the other checks when %s', (_, use) => {
    expect(outcomes(use)).toHaveLength(1);
  });
});

import { createObserverBatch } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { collectEvidence } from './collect-evidence.js';
import { bash, failedBash, type ToolUseFields } from './testing/tool-uses.js';

const actions = (...toolUses: ToolUseFields[]) =>
  collectEvidence(createObserverBatch({ toolUses })).gitActions;

it.each([
  ['git push -u origin topic', ['git push -u origin topic']],
  ['git stash && git fetch origin main && git rebase origin/main', ['git stash', 'git rebase origin/main']],
  ['cd web && git checkout -b fix/total', ['git checkout -b fix/total']],
  ['git branch -D old && git tag v1.2.0', ['git branch -D old', 'git tag v1.2.0']],
  ["git tag -a v1 -m 'First release'", ['git tag -a v1 -m "First release"']],
])('lists the git calls that changed the repository: %s', (line, calls) => {
  expect(actions(bash(line))).toEqual(calls);
});

it.each([
  'git status',
  'git stash list',
  'git branch -a',
  'git tag -l v1.2',
  'git tag --contains=v1.2 v1.3',
  'git push --dry-run',
  'git checkout main',
  'git commit -m x',
  'git push || true',
  'git rebase --abort',
])('excludes git calls that changed nothing, are reported as commits, or hide their result: %s', (line) => {
  expect(actions(bash(line))).toEqual([]);
});

it('lists no failed git call', () => {
  expect(actions(failedBash('git push', 'rejected'))).toEqual([]);
});

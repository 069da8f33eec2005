import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingDataReason } from './data-sets.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cm-data-'));
  mkdirSync(path.join(folder, 'data', 'cacm'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('missingDataReason', () => {
  it('returns null when every data set exists', () => {
    expect(missingDataReason(['data/cacm'], folder)).toBeNull();
  });

  it('names each missing data set once', () => {
    expect(missingDataReason(['data/cacm', 'data/locomo', 'data/locomo', 'tools/replay'], folder)).toBe(
      'data not found: data/locomo, tools/replay. Set CLAUDE_MEM_SHARED to the folder that contains it',
    );
  });
});

describe('npm run eval', () => {
  it.each([
    ['search', 'data/locomo, data/cosqa, data/codemem, prototypes/use-lite, data/sde-bench'],
    ['observer', 'cases/observer-examples.json, data/transcripts, tools/replay'],
    ['truth', 'data/codemem, data/transcripts, tools/replay'],
    ['failures', 'data/codemem, data/transcripts, tools/replay'],
    ['context', 'data/codemem, data/locomo, data/cosqa, data/claude-mem, data/transcripts, tools/replay'],
  ])('skips %s and exits with code 0 when its data is missing', (name, missing) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(workspacePaths.root, 'tools', 'eval.mjs'), name],
      { encoding: 'utf8', env: { ...process.env, CLAUDE_MEM_SHARED: folder } },
    );
    expect(stdout).toBe(
      `${name}: skipped: data not found: ${missing}. Set CLAUDE_MEM_SHARED to the folder that contains it\n`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

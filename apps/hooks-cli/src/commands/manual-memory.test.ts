import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '@claude-mem/settings';
import type { ForgetReply, RememberReply } from '@claude-mem/worker-protocol';
import { createLocalWorkerLink } from '@claude-mem/worker-protocol/local';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProgramHome, type ProgramHome } from '../testing/run-inside.js';

let home: ProgramHome;
beforeEach(() => void (home = createProgramHome()));
afterEach(() => home[Symbol.asyncDispose]());

const run = (...args: string[]) => home.run(...args);
const remember = async (...args: string[]) =>
  JSON.parse((await run('remember', '--json', ...args)).stdout) as RememberReply;

describe('manual changes to the memory', () => {
  it('B147: saves a record whose id every command accepts in each notation', async () => {
    const saved = await run(
      'remember',
      'Deploys',
      'go out on Monday',
      '--fact',
      'Before 3 pm, never later',
      '--fact',
      'Manual step',
      '--concept',
      'gotcha,pattern',
      '--file',
      'deploy.sh',
      '--type',
      'decision',
      '--pin',
    );
    expect(saved).toMatchObject({
      exit: 0,
      stdout: 'Saved as #1 in demo: Deploys go out on Monday\n',
      stderr: '',
    });
    expect((await run('remember', 'Deploys', 'go out', 'on Monday', '--type', 'decision')).stdout).toMatch(
      /^Saved as #2/,
    );
    expect((await run('remember', 'Deploys go out on Monday', '--type', 'decision')).stdout).toMatch(
      /^Already stored as #2/,
    );
    expect((await run('remember', 'Somewhere', '--project', '../..')).stdout).toContain('#3 in no project: ');
    const shown = (await run('show', '#1')).stdout;
    expect(shown).toMatch(
      /^#1 decision: Deploys go out on Monday\n.*, session \d+, saved manually, pinned\n/,
    );
    expect(shown).toContain('- User: Before 3 pm, never later\n- User: Manual step');
    expect((await run('search', 'deploys')).stdout).toMatch(/^#[12] /);
    for (const id of ['1', '#1', '1,#1'])
      for (const command of ['show', 'pin'])
        expect((await run(command, id)).exit, `${command} ${id}`).toBe(0);
    expect((await run('timeline', '#1')).stdout).toMatch(/#1 /);
    expect((await run('context', '--preview')).stdout).toContain('#1');
  });

  it('reads a text from stdin, removes its secrets and reports the removal', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const saved = await home.runWithInput(`First line\nkey ${secret}\n`, 'remember', '-');
    expect(saved).toMatchObject({
      exit: 0,
      stdout: 'Saved as #1 in demo: First line\n',
      stderr: 'Note: Private text and secrets were removed.\n',
    });
    const shown = (await run('show', '1')).stdout;
    expect(shown).toContain('key ');
    expect(shown).not.toContain(secret);
    expect(await run('remember')).toMatchObject({ exit: 2 });
    expect(await run('remember', 'x', '--project', 'nowhere')).toMatchObject({
      exit: 1,
      stderr: 'There is no project "nowhere". Known: "demo".\n',
    });
  });

  it('S06: marks records of an agent in search and timeline', async () => {
    await remember('Deploys go out (saved manually) on Monday');
    const { client } = createLocalWorkerLink(dataPaths(home.dataDir));
    const text = 'Deploys go out (saved manually) on Friday';
    await client.remember({ body: { text, savedBy: 'agent', cwd: home.project } });
    for (const args of [
      ['search', 'deploys'],
      ['timeline', '#1'],
    ]) {
      const { stdout } = await run(...args);
      expect(stdout, args[0]).toMatch(/#1 .* \(saved manually\) Deploys go out … on Monday/);
      expect(stdout, args[0]).toMatch(/#2 .* \(saved by an agent\) Deploys go out … on Friday/);
    }
  });

  it('S06: shows the origin of each fact, and removes labels from its text', async () => {
    await remember('Deploys', '--fact', 'On Monday');
    const { client } = createLocalWorkerLink(dataPaths(home.dataDir));
    const facts = ['User: on Friday'];
    await client.remember({ body: { title: 'Deploys again', facts, savedBy: 'agent', cwd: home.project } });
    expect((await run('show', '1')).stdout).toContain('\n- User: On Monday');
    expect((await run('show', '2')).stdout).toContain('\n- Agent: … on Friday');
    await run('edit', '2', '--fact', 'User: on Friday', '--fact', 'Never at night');
    expect((await run('show', '2')).stdout).toContain('\n- Agent: … on Friday\n- User: Never at night');
    const [shown] = JSON.parse((await run('show', '1', '--json')).stdout) as { facts: unknown }[];
    expect(shown?.facts).toEqual([{ text: 'On Monday', origin: 'user' }]);
  });

  it('S06: lists and undoes a deletion that can be undone', async () => {
    await remember('Deploys go out on Monday');
    const { client } = createLocalWorkerLink(dataPaths(home.dataDir));
    const { undo } = await client.forget({ body: { ids: [1], undoSeconds: 86_400 } });
    const number = String(undo?.forgetId);
    expect((await run('forget', '--undo', 'list')).stdout).toMatch(
      new RegExp(`^${number}  1 observation, final at .* UTC\\n  #1  Deploys go out on Monday\\n$`),
    );
    expect((await run('status')).stdout).toMatch(
      /^deleted +1 deletion can be undone: claude-mem forget --undo list$/m,
    );
    expect(await run('forget', '--undo', number)).toMatchObject({
      exit: 0,
      stdout: 'Restored: 1 observation.\n',
    });
    expect((await run('status')).stdout).not.toContain('undo');
    expect((await run('show', '1')).exit).toBe(0);
    expect(await run('forget', '--undo', 'list')).toMatchObject({ stdout: 'No deletion can be undone.\n' });
    expect((await run('forget', '--undo', number)).exit).toBe(1);
    expect((await run('forget', '--undo', 'x')).exit).toBe(2);
  });

  it('edits, pins, unpins and supersedes a record', async () => {
    await run('remember', 'Use yarn', '--fact', 'old');
    await run('remember', 'Use npm');
    expect(await run('edit', '#1', '--title', 'Use yarn 4', '--fact', 'a, b', '--fact', 'c')).toMatchObject({
      exit: 0,
      stdout: 'Changed: #1 Use yarn 4\n',
    });
    expect((await run('show', '1')).stdout).toMatch(/Facts:\n- User: a, b\n- User: c\n$/);
    expect(await run('edit', '1')).toMatchObject({ exit: 2 });
    expect(await run('edit', '9', '--title', 'x')).toMatchObject({
      exit: 1,
      stderr: 'There is no observation 9.\n',
    });
    expect((await run('pin', '1', '2')).stdout).toBe('Pinned: #1 Use yarn 4\nPinned: #2 Use npm\n');
    expect((await run('unpin', '2')).stdout).toBe('Unpinned: #2 Use npm\n');
    expect((await run('supersede', '1', '--by', '2')).stdout).toBe('Superseded by #2: #1 Use yarn 4\n');
    expect(await run('supersede', '2', '--by', '1')).toMatchObject({ exit: 1 });
    expect((await run('show', '1')).stdout).toContain('superseded by #2');
    const context = (await run('context', '--preview')).stdout;
    expect(context).toContain('Use npm');
    expect(context).not.toContain('Use yarn');
    expect((await run('supersede', '1', '--undo')).exit).toBe(0);
    expect(await run('supersede', '1')).toMatchObject({ exit: 2 });
  });

  it('lists the records to delete and requires --yes', async () => {
    await remember('Keep');
    await remember('Drop one', '--type', 'change');
    await remember('Drop two', '--type', 'change');
    const look = await run('forget', '--type', 'change', '--dry-run');
    expect(look).toMatchObject({
      exit: 0,
      stdout: 'To be deleted: 2 observations.\n  #3  Drop two\n  #2  Drop one\n',
    });
    expect(await run('forget', '2')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('needs --yes') as string,
    });
    expect(await run('forget', '2', '--yes')).toMatchObject({
      exit: 0,
      stdout: 'Deleted: 1 observation.\n',
    });
    expect(await run('forget', '2', '--yes')).toMatchObject({ exit: 1, stderr: 'Not found: #2.\n' });
    expect(await run('forget', '--file', 'nowhere.ts', '--yes')).toMatchObject({
      exit: 1,
      stderr: 'No record matches these filters.\n',
    });
    expect((await run('search', 'drop')).stdout).toMatch(/^#3 .*\n$/);
    const all = JSON.parse((await run('forget', '--project', '.', '--yes', '--json')).stdout) as ForgetReply;
    expect(all).toMatchObject({ observations: 2, sessions: 1 });
    expect((await run('search', '--project', 'demo')).stdout).toBe('Nothing found.\n');
    for (const args of [[], ['1', '--type', 'x'], ['x']])
      expect((await run('forget', ...args)).exit, args.join(' ')).toBe(2);
    expect(await run('forget', '--from', 'soon', '--dry-run')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--from must be a date') as string,
    });
  });

  it('deletes every id that exists and reports the others', async () => {
    await remember('Keep');
    for (const one of ['Drop one', 'Drop two']) await remember(one);
    expect(await run('forget', '#2', '2,#99', '98', '--dry-run')).toMatchObject({
      exit: 1,
      stdout: 'To be deleted: 1 observation.\n  #2  Drop one\n',
      stderr: 'Not found: #99, #98.\n',
    });
    expect(await run('forget', '#2', '2,#99', '98', '--yes')).toMatchObject({
      exit: 1,
      stdout: 'Deleted: 1 observation.\n',
      stderr: 'Not found: #99, #98.\n',
    });
    expect(JSON.parse((await run('forget', '3', '99', '--yes', '--json')).stdout)).toMatchObject({
      observations: 1,
      missing: [99],
    });
    expect(await run('forget', '2', '2', '--yes')).toMatchObject({ exit: 1, stderr: 'Not found: #2.\n' });
    expect((await run('search', 'keep drop')).stdout).toMatch(/^#1 .*\n$/);
  });

  it('lists the types when the type is unknown', async () => {
    const refused = {
      exit: 1,
      stderr: expect.stringMatching(/There is no type "nonsense"\. Types: bugfix, /) as string,
    };
    expect(await run('remember', 'Something', '--type', 'nonsense')).toMatchObject(refused);
    await remember('Something');
    expect(await run('edit', '1', '--type', 'nonsense')).toMatchObject(refused);
  });

  it('R25: removes deleted records from the backups and succeeds when there are no backups', async () => {
    await remember('Keep');
    const gone = await remember('Drop');
    expect(await run('forget', '--backups', '--yes')).toMatchObject({
      exit: 0,
      stdout: 'There are no backups.\n',
    });
    const other = await remember('Other');
    await run('forget', String(other.observation.id), '--yes', '--backups');
    expect((await run('forget', String(gone.observation.id), '--yes')).stderr).toMatch(
      /^Note: Backups may still hold it \(1\), .*; claude-mem forget --backups takes it out of them\.\n$/,
    );
    expect(await run('forget', String(gone.observation.id), '--yes', '--backups')).toMatchObject({
      exit: 1,
      stderr: `Not found: #${gone.observation.id}. To clean only the backups: claude-mem forget --backups\n`,
    });
    expect(await run('forget', '--backups')).toMatchObject({
      exit: 2,
      stdout: 'Backups: 1.\n',
      stderr: expect.stringContaining('needs --yes') as string,
    });
    expect(await run('forget', '--backups', '--yes')).toMatchObject({
      exit: 0,
      stdout: 'A new backup replaced all others.\n',
      stderr: '',
    });
    const held = readdirSync(join(home.dataDir, 'backups')).map((name) =>
      readFileSync(join(home.dataDir, 'backups', name), 'latin1'),
    );
    expect(held.map((bytes) => [bytes.includes('Keep'), bytes.includes('Drop')])).toEqual([[true, false]]);
  });

  it('restores and pins a superseded record when its text is saved again, and shortens a long title', async () => {
    await run('remember', 'Use yarn');
    await run('remember', 'Use npm', '--supersedes', '1');
    expect(await run('remember', 'Use yarn', '--pin')).toMatchObject({
      exit: 0,
      stdout: 'Already stored as #1 in demo: Use yarn\n',
      stderr: 'Note: #2 had superseded #1: it counts again, and supersedes #2.\nNote: #1 is pinned now.\n',
    });
    expect((await run('context', '--preview')).stdout).toMatch(/Use yarn/);
    expect(await run('edit', '1', '--type', 'Decision', '--title', 't'.repeat(301))).toMatchObject({
      exit: 0,
      stderr: 'Note: The title is longer than 300 characters and was cut.\n',
    });
    expect((await run('show', '1')).stdout).toMatch(/^#1 decision: t+/);
  });

  it('R04: skips deleted records in an import, and restores them with their pin when --take-forgotten is set', async () => {
    await run('remember', 'Once', '--pin');
    const { stdout: lines } = await run('export');
    await run('forget', '1', '--yes');
    expect((await home.runWithInput(lines, 'import', '-')).stdout).toBe(
      '0 new, 2 known, 0 invalid.\n1 skipped because they were deleted here. To import them: --take-forgotten\n',
    );
    expect((await home.runWithInput(lines, 'import', '-', '--take-forgotten')).stdout).toContain(
      '1 new, 2 known, 0 invalid.\nOf the new records, 1 is pinned and 1 is marked as saved manually.',
    );
    expect((await run('export')).stdout).toBe(lines);
    expect(lines).toContain('"pinned":true');
  });
});

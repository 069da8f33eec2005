import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Evaluation } from '../evaluate-replay.js';
import { createProgramHome, type ProgramHome } from '../testing/run-inside.js';
import type { Status } from './status.js';

const QUESTION = 'Vouchers are lost when the currency of the cart total changes';

describe('claude-mem eval', { timeout: 60_000 }, () => {
  let home: ProgramHome;
  const hook = (event: string, session_id: string, fields: object) => {
    const payload = { session_id, cwd: home.project, ...fields };
    return home.runWithInput(JSON.stringify(payload), 'hook', 'claude-code', event);
  };
  const turn = async (session: string, records: number) => {
    const file_path = join(home.project, 'src/cart.ts');
    await hook('UserPromptSubmit', session, { prompt: QUESTION });
    await hook('PostToolUse', session, {
      tool_name: 'Edit',
      tool_use_id: `edit-${session}`,
      tool_input: { file_path, old_string: 'let a = 1;', new_string: `let ${session} = 2;` },
      tool_response: { filePath: file_path, success: true },
    });
    const last_assistant_message =
      'Vouchers were lost when the currency changed; the total applies them last now.';
    await hook('Stop', session, { last_assistant_message });
    await vi.waitFor(
      async () => {
        // the queue is empty until the worker has read the spool
        const status = JSON.parse((await home.run('status', '--json')).stdout) as Status;
        expect(status).toMatchObject({
          queue: { pending: 0, processing: 0 },
          memory: { observations: records },
        });
      },
      { timeout: 30_000 },
    );
  };
  beforeAll(async () => {
    home = createProgramHome();
    expect(await home.run('start')).toMatchObject({ exit: 0 });
    for (const [at, session] of ['first', 'second', 'third'].entries()) await turn(session, at + 1);
  }, 60_000);
  afterAll(() => home[Symbol.asyncDispose]());

  it('prints the share of injections with a name that was used afterwards', async () => {
    const { exit, stdout, stderr } = await home.run('eval', '--project', '.');
    expect(exit).toBe(0);
    expect(stdout).toContain('Replayed: 3 prompts of 3 sessions\n');
    expect(stdout).toMatch(/^With an injection: 2 of 3 \(66\.7%\)\nSilent: 1 of 3 \(33\.3%\)$/m);
    expect(stdout).toMatch(/used afterwards +2 of 2 \(100\.0%\) +1 of 1 \(100\.0%\)$/m);
    expect(stdout).toContain('"Used afterwards" does not prove that the injection helped.');
    expect(stderr).toBe('');
  });

  it('prints its progress on stderr when stderr is a terminal', async () => {
    const { stderr } = await home.type(['eval'], '');
    expect(stderr).toContain('Replayed 3 of at most 200 prompts\n');
  });

  it('replays the prompts of the newest sessions when a limit is set', async () => {
    const { stdout } = await home.run('eval', '--json', '--limit', '1');
    expect(JSON.parse(stdout) as Evaluation).toMatchObject({ prompts: 1, sessions: 1, injections: 1 });
  });

  it('replays nothing when all sessions are older than --since', async () => {
    expect(await home.run('eval', '--since', '9999-01-01')).toMatchObject({
      exit: 0,
      stdout: 'No prompts to replay.\n',
    });
  });

  it('fails when the project is unknown', async () => {
    const { exit, stderr } = await home.run('eval', '--project', 'nowhere');
    expect(exit).not.toBe(0);
    expect(stderr).toContain('There is no project "nowhere".');
  });
});

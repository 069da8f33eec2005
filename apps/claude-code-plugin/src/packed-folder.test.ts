import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  claudePayloads,
  createTempHome,
  peekDatabase,
  runningWorkerPid,
  runProgram,
  waitUntilDrained,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { copyPlugin } from './testing/built-plugin.js';

/** As odd as a folder of a person may be. */
const ODD = `it's a "plugin" of $HOME & \`more\``;

describe('the plugin alone, moved elsewhere, with nothing installed', { timeout: 60_000 }, () => {
  it('B028: hooks start its own worker, which remembers the session', async () => {
    await using home = await createTempHome({ name: 'a home' });
    const plugin = copyPlugin(home, ODD);
    const payloads = claudePayloads({ cwd: home.project });
    for (const [event, payload] of [
      ['SessionStart', payloads.sessionStart()],
      ['UserPromptSubmit', payloads.prompt('Raise the limit')],
      ['PostToolUse', payloads.toolUse()],
      ['Stop', payloads.stop('The limit is 1 now.')],
    ] as const)
      expect(await plugin.fire(event, payload), event).toMatchObject({ exit: 0, stderr: '' });
    await waitUntilDrained(home);
    const maps = readFileSync(`/proc/${runningWorkerPid(home)}/maps`, 'utf8');
    expect(maps).toContain(`${plugin.folder}/node_modules/better-sqlite3`);
    using database = peekDatabase(home);
    expect(database.value('SELECT count(*) FROM observations')).toBe(1);
    expect(database.rows('SELECT prompt_text FROM user_prompts')).toEqual([
      { prompt_text: 'Raise the limit' },
    ]);
  });

  it('the command that agents are told of is there after the first start, without node on the PATH', async () => {
    await using home = await createTempHome();
    const plugin = copyPlugin(home, ODD);
    await plugin.fire('SessionStart', claudePayloads({ cwd: home.project }).sessionStart());
    await waitUntilDrained(home);
    const { dataDir } = home;
    const env = { ...home.env, PATH: join(home.root, 'only sh') };
    mkdirSync(env.PATH);
    symlinkSync('/bin/sh', join(env.PATH, 'sh'));
    const run = (file: string) => runProgram(file, ['status', '--json'], { cwd: home.project, env });
    const launched = await run(`${dataDir}/bin/claude-mem`);
    expect(launched).toMatchObject({ exit: 0, stderr: '' });
    expect(JSON.parse(launched.stdout)).toMatchObject({ paths: { dataDir } });
    expect(readFileSync(`${dataDir}/bin/claude-mem`, 'utf8')).toContain('/hooks-cli/dist/claude-mem.js');
    const own = await runProgram('/bin/sh', [`${plugin.folder}/bin/claude-mem`, 'version'], {
      cwd: home.project,
      env,
    });
    expect(own).toMatchObject({ exit: 0, stderr: '' });
  });

  it('a script that is gone is no failure of the host', async () => {
    await using home = await createTempHome();
    const plugin = copyPlugin(home);
    const gone = { CLAUDE_PLUGIN_ROOT: `${home.root}/gone` };
    const payload = claudePayloads({ cwd: home.project }).sessionStart();
    expect(await plugin.fire('SessionStart', payload, gone)).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: '',
    });
  });
});

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  claudePayloads,
  createTempHome,
  isFullRun,
  peekDatabase,
  runProgram,
  startWorker,
  waitUntilDrained,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { copyPlugin, readJson, type PluginCopy } from './testing/built-plugin.js';
import type { PluginHooks } from './render-hooks.js';

/** Installs both the plugin and hooks in the settings. */
async function installBoth(home: TempHome, name: string) {
  const plugin = copyPlugin(home, 'plugin');
  const other = copyPlugin(home, name);
  const args = ['install', '--host', 'claude-code'];
  const installed = await runProgram(join(other.folder, 'bin', 'claude-mem'), args, {
    cwd: home.project,
    env: home.env,
  });
  expect(installed).toMatchObject({ exit: 0, stderr: '' });
  return { plugin, other };
}

/** Fires an event like the host, which runs all hooks of an event at the same time. */
async function fireBoth(home: TempHome, plugin: PluginCopy, event: string, payload: unknown) {
  const settings = readJson(join(home.home, '.claude', 'settings.json')) as PluginHooks;
  const command = settings.hooks[event]?.[0]?.hooks[0]?.command ?? 'exit 3';
  const ofSettings = runProgram('/bin/sh', ['-c', command], {
    input: `${JSON.stringify(payload)}\n`,
    cwd: home.project,
    env: { ...home.env, CLAUDE_PROJECT_DIR: home.project },
  });
  const runs: readonly HookRun[] = await Promise.all([plugin.fire(event, payload), ofSettings]);
  for (const run of runs) expect(run).toMatchObject({ exit: 0, stderr: '' });
  return runs.map(({ stdout }) => stdout);
}

/** Plays one turn of a host. Prompts of older hosts have no id that identifies an event that arrives twice. */
async function playTurn(home: TempHome, plugin: PluginCopy, ids: { prompt_id?: undefined }) {
  const payloads = claudePayloads({ cwd: home.project });
  const start = () => fireBoth(home, plugin, 'SessionStart', payloads.sessionStart());
  let answers = await start();
  // a hook ends without a response when the worker is busy
  for (let again = 0; again < 5 && answers.every((answer) => answer === ''); again += 1)
    answers = await start();
  await fireBoth(home, plugin, 'UserPromptSubmit', payloads.prompt('Raise the limit', ids));
  await fireBoth(home, plugin, 'PostToolUse', payloads.toolUse({ more: ids }));
  await fireBoth(home, plugin, 'Stop', payloads.stop('The limit is 1 now.', ids));
  await waitUntilDrained(home);
  return answers;
}

function countOf(home: TempHome) {
  using database = peekDatabase(home);
  const count = (table: string) => database.value(`SELECT count(*) FROM ${table}`);
  return {
    sessions: count('sdk_sessions'),
    prompts: count('user_prompts'),
    observations: count('observations'),
    summaries: count('session_summaries'),
  };
}

const ONE_OF_EACH = { sessions: 1, prompts: 1, observations: 1, summaries: 1 };
const WITHOUT_ID = { prompt_id: undefined };

describe('plugin and installed hooks together', () => {
  it('B138: store one turn when both report it, even when prompts have no id', async () => {
    await using home = await createTempHome();
    const { plugin } = await installBoth(home, 'installed here');
    await using _worker = await startWorker(home, { main: join(plugin.folder, 'worker/dist/main.js') });
    const [ofPlugin, ofSettings] = await playTurn(home, plugin, WITHOUT_ID);
    expect(ofPlugin).toBe('');
    expect(ofSettings).not.toBe('');
    expect(countOf(home)).toEqual(ONE_OF_EACH);
  });

  it('B138: store one turn when prompts have ids and the plugin does not find the installed hooks', async () => {
    await using home = await createTempHome();
    const { plugin } = await installBoth(home, `it's "here"`);
    await playTurn(home, plugin, {});
    expect(countOf(home)).toEqual(ONE_OF_EACH);
  });

  it.runIf(isFullRun)(
    'store the turn of the plugin when the script of the installed hooks is missing',
    async () => {
      await using home = await createTempHome();
      const { plugin, other } = await installBoth(home, 'installed here');
      renameSync(other.folder, `${other.folder}.gone`);
      await playTurn(home, plugin, WITHOUT_ID);
      expect(countOf(home)).toEqual(ONE_OF_EACH);
    },
  );

  it.runIf(isFullRun)(
    'use the plugin when the settings contain other hooks or the host reads other settings',
    async () => {
      await using home = await createTempHome();
      const { plugin } = await installBoth(home, 'installed here');
      await using _worker = await startWorker(home, { main: join(plugin.folder, 'worker/dist/main.js') });
      const payload = claudePayloads({ cwd: home.project }).sessionStart();
      expect(await plugin.fire('SessionStart', payload)).toMatchObject({ exit: 0, stdout: '' });

      const configDir = join(home.home, 'elsewhere');
      mkdirSync(configDir);
      const script = join(plugin.folder, 'hooks-cli', 'dist', 'hook.sh');
      const command = `sh '${script}' claude-code SessionStart 2>/dev/null || true # another hook`;
      const settings = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } };
      writeFileSync(join(configDir, 'settings.json'), JSON.stringify(settings));
      await expect
        .poll(
          async () => (await plugin.fire('SessionStart', payload, { CLAUDE_CONFIG_DIR: configDir })).stdout,
        )
        .toContain('SessionStart');
    },
  );
});

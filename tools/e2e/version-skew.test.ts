import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  peekDatabase,
  readHealth,
  runHook,
  startWorker,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { copyPackages } from './copy-packages.js';

const { version: BUILT } = JSON.parse(
  readFileSync(path.join(workspacePaths.root, 'package.json'), 'utf8'),
) as { version: string };

/** Number of prompts. The older version sends every fourth one. */
const PROMPTS = 8;

describe('two versions side by side', () => {
  it('B003: replace the worker once with the higher version when both versions send events', async () => {
    await using home = await createTempHome();
    const older = installVersion(home, '0.1.9');
    const newer = installVersion(home, '0.1.10');
    const now = new Date();
    utimesSync(older.folder, now, now);
    await using old = await startWorker(home, { main: older.worker });
    expect((await readHealth(home)).version).toBe('0.1.9');
    const payloads = claudePayloads({ cwd: home.project });
    const pids = new Set([old.pid]);
    for (let prompt = 1; prompt <= PROMPTS; prompt += 1) {
      const script = prompt % 4 === 0 ? older.script : newer.script;
      const run = await runHook(home, 'UserPromptSubmit', payloads.prompt(`Prompt ${prompt}`), { script });
      expect(run).toMatchObject({ exit: 0, stderr: '' });
      // A hook that timed out starts another worker, which exits when it finds the first one.
      const serving = await readHealth(home).catch(() => null);
      if (serving !== null) pids.add(serving.pid);
    }
    const health = await waitFor(
      async () => {
        const state = await readHealth(home);
        return state.ready && state.version === '0.1.10' ? state : null;
      },
      { what: 'the higher version' },
    );
    pids.add(health.pid);
    await waitUntilDrained(home);
    expect(pids.size).toBe(2);
    await runHook(home, 'SessionStart', payloads.sessionStart('resume'), { script: older.script });
    expect((await readHealth(home)).pid).toBe(health.pid);
    using peek = peekDatabase(home);
    expect(peek.value('SELECT count(*) FROM user_prompts')).toBe(PROMPTS);
  });
});

/** Installs the worker and the command with this version number. The SQLite driver comes from the workspace. */
function installVersion(home: TempHome, version: string) {
  const folder = path.join(home.root, 'versions', version);
  const modules = path.join(folder, 'node_modules');
  const apps = path.join(modules, '@claude-mem');
  copyPackages(modules, ['apps/worker', 'apps/hooks-cli']);
  for (const app of ['worker', 'hooks-cli']) {
    const file = path.join(apps, app, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, version }, null, 2));
  }
  const script = path.join(apps, 'hooks-cli', 'dist', 'hook.sh');
  const built = readFileSync(script, 'utf8');
  expect(built).toContain(BUILT);
  writeFileSync(script, built.replaceAll(BUILT, version));
  return {
    folder,
    worker: path.join(apps, 'worker', 'dist', 'main.js'),
    script,
  };
}

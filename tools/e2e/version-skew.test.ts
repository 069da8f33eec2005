import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
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

const { version: BUILT } = JSON.parse(
  readFileSync(path.join(workspacePaths.root, 'package.json'), 'utf8'),
) as { version: string };

describe('two versions side by side', () => {
  it('B003: the higher version takes over once, whichever folder was touched last', async () => {
    await using home = await createTempHome();
    const older = installVersion(home, '0.1.9');
    const newer = installVersion(home, '0.1.10');
    const now = new Date();
    utimesSync(older.folder, now, now);
    await using old = await startWorker(home, { main: older.worker });
    expect((await readHealth(home)).version).toBe('0.1.9');
    const payloads = claudePayloads({ cwd: home.project });
    const pids = new Set([old.pid]);
    for (let prompt = 1; prompt <= 20; prompt += 1) {
      const script = prompt % 4 === 0 ? older.script : newer.script;
      const run = await runHook(home, 'UserPromptSubmit', payloads.prompt(`Prompt ${prompt}`), { script });
      expect(run).toMatchObject({ exit: 0, stderr: '' });
      // a hook that had no answer in time starts one more, which looks whether it is needed and ends
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
    expect(peek.value('SELECT count(*) FROM user_prompts')).toBe(20);
  }, 60_000);
});

/** Both programs as an install of that version has them; the native module is this workspace's. */
function installVersion(home: TempHome, version: string) {
  const folder = path.join(home.root, 'versions', version);
  const apps = path.join(folder, 'node_modules', '@claude-mem');
  for (const app of ['worker', 'hooks-cli']) {
    const from = path.join(workspacePaths.root, 'apps', app);
    mkdirSync(path.join(apps, app), { recursive: true });
    cpSync(path.join(from, 'dist'), path.join(apps, app, 'dist'), { recursive: true });
    const manifest = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8')) as object;
    writeFileSync(path.join(apps, app, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2));
  }
  for (const name of ['better-sqlite3', 'better-sqlite3-n22', 'bindings', 'file-uri-to-path']) {
    const from = path.join(workspacePaths.root, 'node_modules', name);
    if (!existsSync(from)) continue;
    cpSync(from, path.join(folder, 'node_modules', name), {
      recursive: true,
      filter: (file) => !/better-sqlite3[^/]*\/(deps|src)(\/|$)/.test(file),
    });
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

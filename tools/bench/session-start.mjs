// The start of a session, whole hook process, with memories of different sizes; and what the worker takes meanwhile.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { claudePayloads, startWorker, workspacePaths } from '@claude-mem/testing';
import { mib, p50And95, p95, row } from './figures.mjs';

const RUNS = 100;

/** @param seeded homes by size, as `createSeededHome` gives them */
export async function benchSessionStart(seeded) {
  const workers = [];
  try {
    for (const { home } of seeded) workers.push(await startWorker(home));
    await settle();
    const idle = residentBytes(workers[0].pid);
    const times = seeded.map(() => []);
    for (let index = -5; index < RUNS; index += 1) {
      for (const [which, { home, observations }] of seeded.entries()) {
        const took = timeOfStart(home, observations);
        if (index >= 0) times[which].push(took);
      }
    }
    await settle();
    const large = residentBytes(workers.at(-1).pid);
    return [
      ...seeded.map(({ observations }, which) =>
        row(
          `SessionStart, ${observations.toLocaleString('en')} observations`,
          p50And95(times[which]),
          'p95 60 ms',
          p95(times[which]) <= 60,
        ),
      ),
      row('resident memory, idle, empty memory', mib(idle), '70 MiB', idle <= 70 * 2 ** 20),
      row(
        `resident memory, ${seeded.at(-1).observations.toLocaleString('en')} observations, after ${RUNS} starts`,
        mib(large),
        '160 MiB',
        large <= 160 * 2 ** 20,
      ),
    ];
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
  }
}

function timeOfStart(home, observations) {
  const input = JSON.stringify(claudePayloads({ cwd: home.project }).sessionStart());
  const env = { ...home.env, CLAUDE_PROJECT_DIR: home.project };
  const started = performance.now();
  const run = spawnSync('sh', [workspacePaths.hookScript, 'claude-code', 'SessionStart'], {
    input,
    cwd: home.project,
    env,
  });
  const took = performance.now() - started;
  const context = JSON.parse(run.stdout.toString() || '{}').hookSpecificOutput?.additionalContext ?? '';
  if (run.status !== 0 || (observations > 0 && !context)) {
    throw new Error(
      `no context at ${observations} observations: exit ${run.status}, ${run.stdout}${run.stderr}`,
    );
  }
  return took;
}

function residentBytes(pid) {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** Memory is looked at two seconds after the last work. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2_000));

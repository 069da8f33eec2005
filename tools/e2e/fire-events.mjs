// Sends the events of a session to the hook like a host: in order, with parallel tool hooks.
import { runHook } from '@claude-mem/testing';

const MAX_PARALLEL = 10;

/**
 * Sends events to the hook.
 * @param events { event, payload } in order
 * @returns the result of each hook in order, and the problems
 */
export async function fireEvents(home, events, { signal } = {}) {
  const runs = [];
  let running = [];
  let previousPhase;
  for (const [index, { event, payload }] of events.entries()) {
    if (signal?.aborted) break;
    const phase = /^(Pre|Post)ToolUse/.exec(event)?.[1];
    const canOverlap = phase && phase === previousPhase && running.length < MAX_PARALLEL;
    previousPhase = phase;
    if (!canOverlap) {
      await Promise.all(running);
      running = [];
    }
    const startedAt = Date.now();
    running.push(
      runHook(home, event, payload).then((run) => {
        runs[index] = { event, toolUseId: payload.tool_use_id, startedAt, ...run };
      }),
    );
  }
  await Promise.all(running);
  return runs;
}

/** Returns one sentence for each hook whose result would disturb the host. */
export function hookProblems(runs) {
  return runs.flatMap((run, index) => {
    const name = `hook ${index} (${run.event})`;
    return [
      run.exit !== 0 && `${name} exited with ${run.exit}`,
      run.stderr && `${name} wrote to stderr: ${run.stderr.trim().slice(0, 200)}`,
      run.stdout.trim() && !isJson(run.stdout) && `${name} printed no JSON: ${run.stdout.slice(0, 200)}`,
    ].filter(Boolean);
  });
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

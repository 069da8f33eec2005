import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { runningWorkerPid, waitFor, waitUntilDrained, type TempHome } from '@claude-mem/testing';
import { hookIn } from './play-turn.js';

/** Name and payload of a hook event, or `note` with an event that no hook reports. */
type Recorded = readonly [event: string, payload: unknown];

interface Payload {
  session_id: string;
  cwd: string;
  source?: string;
}

export interface PlayedHooks {
  /** Events with injected context: the source of a session start, or `prompt`. */
  given: readonly string[];
  sessionIds: readonly string[];
  /** True when a hook timed out, so that context may be missing. */
  isLate: boolean;
}

/** Events whose response contains context. Their hooks wait at least `SHORTEST_WAIT_MS` milliseconds for the worker. */
const CONTEXT_EVENTS = new Set(['SessionStart', 'UserPromptSubmit']);
const SHORTEST_WAIT_MS = 700;

/**
 * Replays the hook payloads of a real client through the real hook, in the same order. The project name must be
 * unique in the home. When a session starts while none is open, the queue is drained first, as in the recording.
 */
export async function playRecordedHooks(
  home: TempHome,
  { file, project }: { file: string; project: string },
): Promise<PlayedHooks> {
  const given: string[] = [];
  const sessionIds = new Set<string>();
  const open = new Set<string>();
  let isLate = false;
  for (const [event, recorded] of readRecorded(home, { file, project })) {
    if (event === 'note') {
      await killWorker(home);
      continue;
    }
    const payload = recorded as Payload;
    if (event === 'SessionStart' && open.size === 0) await waitUntilDrained(home);
    sessionIds.add(payload.session_id);
    if (event === 'SessionEnd') open.delete(payload.session_id);
    else open.add(payload.session_id);
    mkdirSync(payload.cwd, { recursive: true });
    const { stdout, ms } = await hookIn(home, project)(event, payload);
    if (CONTEXT_EVENTS.has(event) && stdout === '' && ms >= SHORTEST_WAIT_MS) isLate = true;
    if (stdout.includes('<claude-mem-context>')) given.push(payload.source ?? 'prompt');
  }
  return { given, sessionIds: [...sessionIds], isLate };
}

/**
 * Replaces the placeholders of a recording. The ids contain the project name, so that ids of different recordings
 * differ.
 */
function readRecorded(
  home: TempHome,
  { file, project }: { file: string; project: string },
): readonly Recorded[] {
  const places = { '{project}': project, '{home}': home.home, '{root}': home.root };
  const ids = createHash('sha256').update(project).digest('hex').slice(0, 8);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) =>
      Object.entries(places).reduce(
        (text, [mark, folder]) => text.replaceAll(mark, JSON.stringify(folder).slice(1, -1)),
        line.replaceAll('5c000000-', `${ids}-`),
      ),
    )
    .map((line) => JSON.parse(line) as Recorded);
}

/** Kills the worker. This is the only event that recordings contain as a note. */
async function killWorker(home: TempHome) {
  const pid = await waitFor(() => runningWorkerPid(home), { what: 'a worker to kill' });
  process.kill(pid, 'SIGKILL');
  // A hook that runs before the process has ended only writes its event to the spool.
  await waitFor(() => !isProcessAlive(pid), { what: 'the end of the worker' });
}

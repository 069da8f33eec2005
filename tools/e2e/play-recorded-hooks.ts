import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { runningWorkerPid, waitFor, waitUntilDrained, type TempHome } from '@claude-mem/testing';
import { hookIn } from './play-turn.js';

/** Name of a hook event and its payload, or `note` and what happened that no hook reports. */
type Recorded = readonly [event: string, payload: unknown];

interface Payload {
  session_id: string;
  cwd: string;
  source?: string;
}

export interface PlayedHooks {
  /** Where context was given: the source of a session's start, or `prompt`. */
  given: readonly string[];
  sessionIds: readonly string[];
  /** True when a hook timed out, so that context may be missing. */
  isLate: boolean;
}

/** Events whose response contains context. Their hooks wait at least `SHORTEST_WAIT_MS` for the worker. */
const CONTEXT_EVENTS = new Set(['SessionStart', 'UserPromptSubmit']);
const SHORTEST_WAIT_MS = 700;

/**
 * Plays what a real client's hooks sent through the real hook, in the same order, for a project of this home that is the only one
 * of its name. A session that starts while no other is open finds everything observed, as it did when it was recorded.
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

/** Its ids are told apart from those of other recordings by the name of the project. */
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

/** The only thing that is noted. */
async function killWorker(home: TempHome) {
  const pid = await waitFor(() => runningWorkerPid(home), { what: 'a worker to kill' });
  process.kill(pid, 'SIGKILL');
}

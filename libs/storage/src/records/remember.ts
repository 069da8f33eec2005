import {
  isReservedForPerson,
  NEUTRAL_PROJECT,
  toStorableText,
  uuidV7,
  type HostName,
  type Observation,
  type Remembered,
  type RememberRequest,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { IndexWriter } from '@claude-mem/lexical-index';
import { requireText, type EditObservation } from './edit-observation.js';
import type { ObservationRecords } from './observations.js';
import type { ProjectRecords } from './projects.js';
import { storableText } from './storable.js';

export interface RememberParts {
  database: Database;
  observations: ObservationRecords;
  projects: ProjectRecords;
  search: IndexWriter;
  edit: EditObservation;
}

interface Place {
  sessionId: number;
  projectId: number;
  promptNumber: number;
}

/** Stores a record that the user or an agent saves. The caller holds the transaction. */
export function createRemember({ database, observations, projects, search, edit }: RememberParts) {
  const findSession = database.prepare(`
    SELECT id AS sessionId, project_id AS projectId, prompt_counter AS promptNumber FROM sdk_sessions
    WHERE host = ? AND content_session_id = ?`);
  const addSession = database.prepare(`
    INSERT INTO sdk_sessions (uid, host, content_session_id, project_id, status, created_at_epoch,
      last_activity_epoch, completed_at_epoch)
    VALUES (?, ?, ?, ?, 'completed', ?, ?, ?)`);
  const noteActivity = database.prepare(
    'UPDATE sdk_sessions SET last_activity_epoch = max(last_activity_epoch, ?) WHERE id = ?',
  );

  const ensureSession = (host: string, id: string, projectId: number, now: number): Place => {
    const known = findSession.get(host, id) as Place | undefined;
    if (known) return known;
    const { lastInsertRowid } = addSession.run(uuidV7(now), host, id, projectId, now, now, now);
    return { sessionId: Number(lastInsertRowid), projectId, promptNumber: 0 };
  };

  const placeOf = ({ session, project }: RememberRequest, now: number): Place => {
    const own = project === null ? null : projects.ensure(project, now);
    if (session === null || session.contentSessionId === null)
      return sessionForManual(own ?? projects.ensure(NEUTRAL_PROJECT, now), now, session?.host);
    const id = storableText(session.contentSessionId, TEXT_LIMITS.file);
    const known = findSession.get(session.host, id) as Place | undefined;
    if (known) return { ...known, projectId: own ?? known.projectId };
    return ensureSession(session.host, id, own ?? projects.ensure(NEUTRAL_PROJECT, now), now);
  };

  /** Records without a session belong to one session per project and host. */
  const sessionForManual = (projectId: number, now: number, host: HostName = MANUAL): Place => {
    const { key } = projects.get(projectId) ?? NEUTRAL_PROJECT;
    const place = ensureSession(host, toStorableText(`${MANUAL} ${key}`), projectId, now);
    noteActivity.run(now, place.sessionId);
    return { ...place, projectId };
  };

  /** Saving a superseded text again makes it current: it supersedes the last record of its chain. */
  const takeBack = (
    known: Observation,
    { now, source }: { now: number; source: RememberRequest['source'] },
  ): number | null => {
    const passed = new Map([[known.id, known]]);
    let last = known;
    while (last.supersededBy !== null && !passed.has(last.supersededBy)) {
      const [next] = observations.byIds([last.supersededBy]);
      if (next === undefined) break;
      passed.set(next.id, next);
      last = next;
    }
    if (source === 'agent' && [...passed.values()].some(isReservedForPerson)) return null;
    if (known.supersededBy !== null) edit(known.id, { supersededBy: null }, now);
    if (last.id === known.id) return null;
    edit(last.id, { supersededBy: known.id }, now);
    return last.id;
  };

  return (request: RememberRequest): Remembered => {
    const now = Math.trunc(request.now);
    requireText(request.draft);
    const place = placeOf(request, now);
    const known = observations.sameInProject(request.draft, place.projectId);
    const { source = 'manual' } = request;
    const rest = { now, source, provider: null, model: null, takeForgotten: true } as const;
    // The session may contain the same text for another project.
    const stored =
      known ??
      observations.insert(request.draft, { ...place, ...rest }) ??
      observations.insert(request.draft, { ...sessionForManual(place.projectId, now), ...rest });
    if (stored === null) throw new Error('an observation that is not known could not be stored');
    if (known === null) search.add([{ kind: 'observation', ...stored }]);
    if (stored.source === 'agent' && source === 'manual') observations.markManual(stored.id, now);
    const tookBackFrom = known === null ? null : takeBack(known, { now, source });
    for (const id of new Set(request.supersedes))
      edit(id, { supersededBy: stored.id }, now, { isNamed: true });
    if (request.pinned) edit(stored.id, { pinned: true }, now);
    return {
      observation: observations.byIds([stored.id])[0] ?? stored,
      isNew: known === null,
      tookBackFrom,
      isNewlyPinned: known !== null && request.pinned && !known.pinned,
    };
  };
}

const MANUAL = 'manual' satisfies HostName;

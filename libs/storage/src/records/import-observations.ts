import path from 'node:path';
import {
  HOST_NAMES,
  NEUTRAL_PROJECT,
  toSingleLine,
  uuidV7,
  type ImportResult,
  type ImportedObservation,
  type Observation,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { SearchWriter } from '../search/search-writer.js';
import { createForgotten } from './forgotten.js';
import type { ObservationRecords } from './observations.js';
import type { ProjectRecords } from './projects.js';
import { storableText } from './storable.js';

const HOST = 'import';
const LATEST_EPOCH = 8.64e15;
const MAX_PROMPT_NUMBER = 1e9;

export interface ImportParts {
  database: Database;
  observations: ObservationRecords;
  projects: ProjectRecords;
  search: SearchWriter;
}

interface Place {
  sessionId: number;
  projectId: number;
}

/** A session and what its observations of one import say about it. */
interface Stretch extends Place {
  from: number;
  to: number;
  promptNumber: number;
}

/** Stores observations that come from elsewhere. The caller holds the transaction. */
export function createImport({ database, observations, projects, search }: ImportParts) {
  const isKnown = database.prepare('SELECT 1 FROM observations WHERE uid = ?').pluck();
  const forgotten = createForgotten(database);
  const findPlace = createPlaces(database, projects);
  const stretchSession = database.prepare(`
    UPDATE sdk_sessions SET created_at_epoch = min(created_at_epoch, :from),
      last_activity_epoch = max(last_activity_epoch, :to), completed_at_epoch = max(completed_at_epoch, :to),
      prompt_counter = max(prompt_counter, :promptNumber)
    WHERE id = :sessionId AND host = '${HOST}'`);

  return (
    records: readonly ImportedObservation[],
    { now, takeForgotten = false }: { now: number; takeForgotten?: boolean },
  ): ImportResult => {
    const stored: Observation[] = [];
    const failed: { index: number; reason: string }[] = [];
    const places = new Map<string, Stretch>();
    let known = 0;
    let left = 0;
    records.forEach((record, index) => {
      const reason = reasonAgainst(record);
      if (reason !== null) return void failed.push({ index, reason });
      const uid = clean(record.uid, TEXT_LIMITS.agent);
      if (isKnown.get(uid) !== undefined) return void (known += 1);
      if (!takeForgotten && forgotten.hasUid(uid)) return void (left += 1);
      const epoch = Math.trunc(record.createdAtEpoch);
      const promptNumber = Math.trunc(record.promptNumber);
      const key = JSON.stringify([record.project, record.session]);
      const place = places.get(key) ?? {
        ...findPlace(record, epoch, Math.trunc(now)),
        from: epoch,
        to: epoch,
        promptNumber,
      };
      places.set(key, {
        ...place,
        from: Math.min(place.from, epoch),
        to: Math.max(place.to, epoch),
        promptNumber: Math.max(place.promptNumber, promptNumber),
      });
      const { sessionId, projectId } = place;
      const from = { uid, source: 'import', provider: null, model: null } as const;
      const observation = observations.insert(record, {
        sessionId,
        projectId,
        promptNumber,
        now: epoch,
        takeForgotten,
        ...from,
      });
      if (observation) stored.push(observation);
      else if (observations.isForgotten(record, projectId)) left += 1;
      else known += 1;
    });
    for (const { projectId: _, ...stretch } of places.values()) stretchSession.run(stretch);
    search.add(stored.map((observation) => ({ kind: 'observation', ...observation })));
    return { inserted: stored.length, known, forgotten: left, failed };
  };
}

/** Finds or makes the session and project of a record. */
function createPlaces(database: Database, projects: ProjectRecords) {
  const projectByKeyOrName = database
    .prepare('SELECT id FROM projects WHERE key = :text OR name = :text ORDER BY key = :text DESC LIMIT 1')
    .pluck();
  const hosts = HOST_NAMES.map((host) => `'${host}'`).join(', ');
  const findSessions = database.prepare(`
    SELECT id AS sessionId, project_id AS projectId, host <> '${HOST}' AS isOfHost FROM sdk_sessions
    WHERE host IN (${hosts}) AND content_session_id = ? ORDER BY isOfHost DESC, id`);
  const addSession = database.prepare(`
    INSERT INTO sdk_sessions (uid, host, content_session_id, project_id, status, created_at_epoch,
      last_activity_epoch, completed_at_epoch)
    VALUES (?, '${HOST}', ?, ?, 'completed', ?, ?, ?)`);

  const projectOf = (text: string, now: number): number => {
    const known = projectByKeyOrName.get({ text }) as number | undefined;
    if (known !== undefined) return known;
    if (text === NEUTRAL_PROJECT.key) return projects.ensure(NEUTRAL_PROJECT, now);
    const name = isAbsolute(text) ? path.win32.basename(text) : text;
    return projects.ensure({ key: text, name: name || text }, now);
  };

  /** Ids of a host are its own everywhere; others count within their project only. */
  const sessionOf = (session: string, projectId: number | undefined): Place | undefined => {
    const found = findSessions.all(session) as (Place & { isOfHost: number })[];
    return found.find((one) => one.isOfHost === 1 || projectId === undefined || one.projectId === projectId);
  };

  return (record: ImportedObservation, epoch: number, now: number): Place => {
    const project = clean(record.project, TEXT_LIMITS.file);
    const projectId = project === '' ? undefined : projectOf(project, now);
    const session = clean(record.session, TEXT_LIMITS.file) || `import ${project}`.trim();
    const elsewhere = `${session}@${project}`;
    const known = sessionOf(session, projectId) ?? sessionOf(elsewhere, projectId);
    if (known) return { sessionId: known.sessionId, projectId: projectId ?? known.projectId };
    const own = projectId ?? projects.ensure(NEUTRAL_PROJECT, now);
    const name = findSessions.get(session) === undefined ? session : elsewhere;
    const { lastInsertRowid } = addSession.run(uuidV7(epoch), name, own, epoch, epoch, epoch);
    return { sessionId: Number(lastInsertRowid), projectId: own };
  };
}

/** Why a record cannot be stored; null when it can. */
function reasonAgainst(record: ImportedObservation): string | null {
  if (clean(record.uid, TEXT_LIMITS.agent) === '') return 'it has no uid';
  if (record.uid.length > TEXT_LIMITS.agent) return `its uid is longer than ${TEXT_LIMITS.agent} characters`;
  const texts = [record.title, record.narrative, ...record.facts];
  if (!texts.some((text) => text !== null && text.trim() !== ''))
    return 'it has no title, narrative or facts';
  if (!(Math.abs(record.createdAtEpoch) <= LATEST_EPOCH)) return 'its time is not one';
  if (!(record.promptNumber >= 0 && record.promptNumber <= MAX_PROMPT_NUMBER))
    return 'its prompt number is not a whole number from 0';
  return null;
}

const clean = (text: string | null, limit: number) => storableText(toSingleLine(text ?? ''), limit);
const isAbsolute = (text: string) => path.posix.isAbsolute(text) || path.win32.isAbsolute(text);

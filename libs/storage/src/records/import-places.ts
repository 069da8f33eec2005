import path from 'node:path';
import { HOST_NAMES, NEUTRAL_PROJECT, toSingleLine, uuidV7, type ImportedRecord } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { ProjectRecords } from './projects.js';
import { storableText } from './storable.js';

/** The host of sessions that are known only from imported records. */
export const IMPORT_HOST = 'import';

/** The project and session of a record. */
export interface ImportPlace {
  sessionId: number;
  projectId: number;
  /** True when the session was created for the record. */
  isNew: boolean;
}

type PlacedRecord = Exclude<ImportedRecord, { kind: 'project' }>;

/** Finds the projects and sessions of imported records, and creates those that are missing. The caller holds the transaction. */
export interface ImportPlaces {
  /** Null when the record names no project. */
  projectOf(project: PlacedRecord['project'], now: number): number | null;
  placeOf(record: PlacedRecord, epoch: number, now: number): ImportPlace;
}

export function createImportPlaces(database: Database, projects: ProjectRecords): ImportPlaces {
  const projectByKeyOrName = database
    .prepare('SELECT id FROM projects WHERE key = :text OR name = :text ORDER BY key = :text DESC LIMIT 1')
    .pluck();
  const hosts = HOST_NAMES.map((host) => `'${host}'`).join(', ');
  const findSessions = database.prepare(`
    SELECT id AS sessionId, project_id AS projectId, host FROM sdk_sessions
    WHERE host IN (${hosts}) AND content_session_id = ? ORDER BY host = '${IMPORT_HOST}', id`);
  const addSession = database.prepare(`
    INSERT INTO sdk_sessions (uid, host, content_session_id, project_id, status, created_at_epoch,
      last_activity_epoch, completed_at_epoch)
    VALUES (?, ?, ?, ?, 'completed', ?, ?, ?)`);

  const projectOf: ImportPlaces['projectOf'] = (project, now) => {
    if (project !== null && typeof project !== 'string') return projects.ensure(project, now);
    const text = cleanId(project, TEXT_LIMITS.file);
    if (text === '') return null;
    const known = projectByKeyOrName.get({ text }) as number | undefined;
    if (known !== undefined) return known;
    if (text === NEUTRAL_PROJECT.key) return projects.ensure(NEUTRAL_PROJECT, now);
    const name = isAbsolute(text) ? path.win32.basename(text) : text;
    return projects.ensure({ key: text, name: name || text }, now);
  };

  /** The session id of a host is unique in that host. An id without a host is unique only in its project. */
  const sessionOf = (name: string, host: string | null, projectId: number | null) => {
    const found = findSessions.all(name) as { sessionId: number; projectId: number; host: string }[];
    return found.find((one) =>
      host !== null && host !== IMPORT_HOST
        ? one.host === host
        : (host === null && one.host !== IMPORT_HOST) ||
          (one.host === IMPORT_HOST && (projectId === null || one.projectId === projectId)),
    );
  };

  return {
    projectOf,
    placeOf(record, epoch, now) {
      const projectId = projectOf(record.project, now);
      const project = cleanId(keyOf(record.project), TEXT_LIMITS.file);
      const host = record.host ?? null;
      const name = cleanId(record.session, TEXT_LIMITS.file) || `import ${project}`.trim();
      const elsewhere = `${name}@${project}`;
      const known = sessionOf(name, host, projectId) ?? sessionOf(elsewhere, host, projectId);
      if (known) return { sessionId: known.sessionId, projectId: projectId ?? known.projectId, isNew: false };
      const own = projectId ?? projects.ensure(NEUTRAL_PROJECT, now);
      const newHost = host ?? IMPORT_HOST;
      const taken = (findSessions.all(name) as { host: string }[]).some((one) => one.host === newHost);
      const { lastInsertRowid } = addSession.run(
        uuidV7(epoch),
        newHost,
        taken ? elsewhere : name,
        own,
        epoch,
        epoch,
        epoch,
      );
      return { sessionId: Number(lastInsertRowid), projectId: own, isNew: true };
    },
  };
}

/** Normalizes an id to one line, as it is stored. */
export const cleanId = (text: string | null, limit: number) => storableText(toSingleLine(text ?? ''), limit);

/** Returns the key of a project, or its name when there is no key. */
export const keyOf = (project: PlacedRecord['project']) =>
  project === null || typeof project === 'string' ? project : project.key;

const isAbsolute = (text: string) => path.posix.isAbsolute(text) || path.win32.isAbsolute(text);

import {
  isAttributedToUser,
  isReservedForPerson,
  type Fact,
  type ImportedObservation,
  type ImportedProject,
  type ImportedPrompt,
  type ImportedRecord,
  type ImportedSession,
  type ImportedSummary,
  type ImportOptions,
  type ImportResult,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { IndexWriter, RecordToIndex } from '@claude-mem/lexical-index';
import { createForgotten } from './forgotten.js';
import { cleanId, createImportPlaces, IMPORT_HOST, keyOf, type ImportPlace } from './import-places.js';
import type { ObservationRecords } from './observations.js';
import type { ProjectRecords } from './projects.js';
import { storableOrNull, storableReply, storableText } from './storable.js';
import type { SummaryRecords } from './summaries.js';
import { createToolUseReader, type ToolUseWriter } from './tool-uses.js';

const LATEST_EPOCH = 8.64e15;
const MAX_PROMPT_NUMBER = 1e9;

export interface ImportParts {
  database: Database;
  observations: ObservationRecords;
  summaries: SummaryRecords;
  projects: ProjectRecords;
  search: IndexWriter;
  toolUses: ToolUseWriter;
}

/** A session with the fields that its imported records contain. */
interface ImportedRange extends ImportPlace {
  from: number;
  to: number;
  promptNumber: number;
}

/** The marks of the observations of one import, and the existing records that they superseded. */
type Marking = Pick<ImportResult, 'pinned' | 'manual' | 'userFacts' | 'superseded' | 'existingUpTo'> & {
  notSuperseded: { id: number; by: number }[];
};

/** A record to index, or the result for a record without an index. */
type Outcome = RecordToIndex | 'inserted' | 'known' | 'forgotten' | { reason: string };

/** Stores imported records. The caller holds the transaction. */
export function createImport(parts: ImportParts) {
  const { database, observations, summaries, projects, search, toolUses } = parts;
  const forgotten = createForgotten(database);
  const places = createImportPlaces(database, projects);
  const observationOfUid = database.prepare('SELECT id FROM observations WHERE uid = ?').pluck();
  const toolUsesOf = createToolUseReader(database);
  const link = createLink(database);
  const highestId = database.prepare('SELECT coalesce(max(id), 0) FROM observations').pluck();
  const stretchSession = database.prepare(`
    UPDATE sdk_sessions SET created_at_epoch = min(created_at_epoch, :from),
      last_activity_epoch = max(last_activity_epoch, :to), completed_at_epoch = max(completed_at_epoch, :to),
      prompt_counter = max(prompt_counter, :promptNumber)
    WHERE id = :sessionId AND host = '${IMPORT_HOST}'`);
  const writeSession = database.prepare(`
    UPDATE sdk_sessions SET uid = :uid, cwd = :cwd, title = :title, user_prompt = :userPrompt, status = :status,
      prompt_counter = :promptNumber, created_at_epoch = :createdAt, last_activity_epoch = :lastActivity,
      completed_at_epoch = :completedAt
    WHERE id = :sessionId`);
  const fillSession = database.prepare(`
    UPDATE sdk_sessions SET cwd = coalesce(cwd, :cwd), title = coalesce(title, :title),
      user_prompt = coalesce(user_prompt, :userPrompt)
    WHERE id = :sessionId`);
  const setConversationRecord = database.prepare(`
    UPDATE sdk_sessions SET conversation_record_id = :id, conversation_record_hash = :conversationHash
    WHERE id = :sessionId AND conversation_record_id IS NULL`);
  const promptOf = database
    .prepare('SELECT uid FROM user_prompts WHERE session_id = ? AND prompt_number = ?')
    .pluck();
  const addPrompt = database.prepare(`
    INSERT INTO user_prompts (uid, session_id, project_id, prompt_number, prompt_id, prompt_text, created_at_epoch, agent_reply, is_imported,
      branch, head_commit)
    SELECT :uid, id, project_id, :promptNumber, :promptId, :promptText, :createdAtEpoch, :agentReply, 1, :branch, :headCommit
      FROM sdk_sessions WHERE id = :sessionId
    RETURNING id, project_id AS projectId`);
  const hasSummary = database
    .prepare('SELECT 1 FROM session_summaries WHERE session_id = ? AND uid = ?')
    .pluck();
  const hasRepository = database.prepare('SELECT 1 FROM project_repositories WHERE project_id = ?').pluck();

  const importProject = (record: ImportedProject, now: number): Outcome => {
    const { name, project, repository, createdAtEpoch } = record;
    const key = keyOf(project) ?? '';
    const isKnown = projects.find(key) !== null;
    // A project whose folder differs from that of the file keeps the name of its folder.
    const ref = name !== null && typeof project === 'string' ? { key, name } : project;
    const id = places.projectOf(ref, Math.min(Math.trunc(createdAtEpoch), now));
    if (id !== null && repository && hasRepository.get(id) === undefined)
      projects.setRepository(id, repository);
    return isKnown ? 'known' : 'inserted';
  };

  const importSession = (record: ImportedSession, uid: string, place: ImportPlace): Outcome => {
    const { sessionId, isNew } = place;
    const texts = {
      sessionId,
      cwd: storableOrNull(record.cwd, TEXT_LIMITS.file),
      title: storableOrNull(record.title, TEXT_LIMITS.title),
      userPrompt: storableOrNull(record.userPrompt, TEXT_LIMITS.sessionPrompt),
    };
    const restoreToolUses = () => {
      if (record.toolUses !== null) toolUses.restore(sessionId, record.toolUses);
    };
    if (!isNew) {
      fillSession.run(texts);
      // The counts of a forgotten session were removed.
      if (toolUsesOf(sessionId)?.length === 0) restoreToolUses();
      return 'known';
    }
    writeSession.run({
      ...texts,
      uid,
      status: record.status,
      promptNumber: Math.trunc(record.promptNumber),
      createdAt: Math.trunc(record.createdAtEpoch),
      lastActivity: Math.trunc(record.lastActivityEpoch),
      completedAt: record.completedAtEpoch === null ? null : Math.trunc(record.completedAtEpoch),
    });
    restoreToolUses();
    return 'inserted';
  };

  const importPrompt = (record: ImportedPrompt, uid: string, { sessionId }: ImportPlace): Outcome => {
    const promptNumber = Math.trunc(record.promptNumber);
    const known = promptOf.get(sessionId, promptNumber);
    if (known === uid) return 'known';
    if (known !== undefined) return { reason: `its session has another prompt ${promptNumber}` };
    const written = {
      uid,
      sessionId,
      promptNumber,
      promptText: storableText(record.promptText, TEXT_LIMITS.promptText),
      createdAtEpoch: Math.trunc(record.createdAtEpoch),
    };
    const promptId = storableOrNull(record.promptId, TEXT_LIMITS.agent);
    const agentReply = record.agentReply ? storableReply(record.agentReply) : null;
    const head = {
      branch: storableOrNull(record.branch, TEXT_LIMITS.branch),
      headCommit: record.headCommit ?? null,
    };
    const row = addPrompt.get({ ...written, ...head, promptId, agentReply }) as {
      id: number;
      projectId: number;
    };
    return { kind: 'prompt', ...written, ...row };
  };

  const importSummary = (record: ImportedSummary, uid: string, place: ImportPlace): Outcome => {
    const { sessionId, projectId } = place;
    if (hasSummary.get(sessionId, uid) !== undefined) return 'known';
    const summary = summaries.insert(record, {
      sessionId,
      projectId,
      uid,
      promptNumber: Math.trunc(record.promptNumber),
      now: Math.trunc(record.createdAtEpoch),
    });
    return summary === null ? 'known' : { kind: 'summary', ...summary };
  };

  const importObservation = (
    record: ImportedObservation,
    uid: string,
    { sessionId, projectId }: ImportPlace,
    { takeForgotten, marking }: { takeForgotten: boolean; marking: Marking },
  ): Outcome => {
    const now = Math.trunc(record.createdAtEpoch);
    const { source = 'import' } = record;
    // A record without a source cannot contain statements of the user.
    const facts = source === 'import' ? record.facts.map(withoutUser) : record.facts;
    const observation = observations.insert(
      { ...record, facts },
      {
        sessionId,
        projectId,
        promptNumber: Math.trunc(record.promptNumber),
        now,
        takeForgotten,
        uid,
        source,
        provider: storableOrNull(record.provider, TEXT_LIMITS.model),
        model: record.model ?? null,
      },
    );
    if (observation === null) return observations.isForgotten(record, projectId) ? 'forgotten' : 'known';
    const { id } = observation;
    const pinned = record.pinned === true;
    observations.updateMarks({ id, pinned, supersededBy: null }, Math.trunc(record.updatedAtEpoch ?? now));
    if (pinned) marking.pinned += 1;
    if (observation.source === 'manual') marking.manual += 1;
    if (facts.some(isAttributedToUser)) marking.userFacts += 1;
    const conversationHash = storableOrNull(record.conversationHash, TEXT_LIMITS.agent);
    if (conversationHash !== null) setConversationRecord.run({ id, conversationHash, sessionId });
    link(id, observationOfUid.get(record.supersededBy ?? ''));
    for (const replaced of record.supersedes ?? [])
      supersede(observationOfUid.get(replaced) as number | undefined, id, marking);
    return { kind: 'observation', ...observation };
  };

  /** A file may come from anyone, so only the user can supersede records that the user saved or pinned here. */
  const supersede = (id: number | undefined, by: number, marking: Marking): void => {
    const [known] = id === undefined ? [] : observations.byIds([id]);
    if (known === undefined || known.supersededBy !== null) return;
    const isExisting = known.id <= marking.existingUpTo;
    if (isExisting && isReservedForPerson(known)) marking.notSuperseded.push({ id: known.id, by });
    else if (link(known.id, by) && isExisting) marking.superseded += 1;
  };

  return (
    records: readonly ImportedRecord[],
    { now, takeForgotten = false, existingUpTo = highestId.get() as number }: ImportOptions,
  ): ImportResult => {
    const marking: Marking = {
      pinned: 0,
      manual: 0,
      userFacts: 0,
      superseded: 0,
      notSuperseded: [],
      existingUpTo,
    };
    const stored: RecordToIndex[] = [];
    const failed: { index: number; reason: string }[] = [];
    const ranges = new Map<string, ImportedRange>();
    const counts = { inserted: 0, known: 0, forgotten: 0 };

    const placeOf = (record: Exclude<ImportedRecord, ImportedProject>): ImportPlace => {
      const epoch = Math.trunc(record.createdAtEpoch);
      const promptNumber = Math.trunc(record.promptNumber);
      const key = JSON.stringify([keyOf(record.project), record.session, record.host ?? null]);
      const known = ranges.get(key);
      const place = known ? { ...known, isNew: false } : places.placeOf(record, epoch, Math.trunc(now));
      ranges.set(key, {
        ...place,
        from: Math.min(known?.from ?? epoch, epoch),
        to: Math.max(known?.to ?? epoch, epoch),
        promptNumber: Math.max(known?.promptNumber ?? promptNumber, promptNumber),
      });
      return place;
    };
    const importOne = (record: ImportedRecord): Outcome => {
      const reason = reasonAgainst(record);
      if (reason !== null) return { reason };
      if (record.kind === 'project') return importProject(record, Math.trunc(now));
      const uid = cleanId(record.uid, TEXT_LIMITS.agent);
      const isObservation = record.kind === undefined || record.kind === 'observation';
      if (isObservation && observationOfUid.get(uid) !== undefined) return 'known';
      if (forgotten.hasUid(uid)) {
        if (!takeForgotten) return 'forgotten';
        forgotten.removeUidHashes([uid]);
      }
      const place = placeOf(record);
      if (record.kind === 'session') return importSession(record, uid, place);
      if (record.kind === 'prompt') return importPrompt(record, uid, place);
      if (record.kind === 'summary') return importSummary(record, uid, place);
      return importObservation(record, uid, place, { takeForgotten, marking });
    };

    records.forEach((record, index) => {
      const outcome = importOne(record);
      if (typeof outcome === 'string') counts[outcome] += 1;
      else if ('reason' in outcome) failed.push({ index, reason: outcome.reason });
      else {
        counts.inserted += 1;
        stored.push(outcome);
      }
    });
    for (const { projectId: _, isNew: __, ...stretch } of ranges.values()) stretchSession.run(stretch);
    search.add(stored);
    return { ...counts, ...marking, failed };
  };
}

const withoutUser = (fact: Fact): Fact => (isAttributedToUser(fact) ? { ...fact, origin: null } : fact);

/**
 * Links an observation to its replacement in the same project, unless it has one or the link would close a cycle.
 * Returns whether the link was written.
 */
function createLink(database: Database): (from: unknown, to: unknown) => boolean {
  const link = database.prepare(`
    UPDATE observations SET superseded_by = :to
    WHERE id = :from AND superseded_by IS NULL
      AND project_id = (SELECT project_id FROM observations WHERE id = :to)
      AND NOT EXISTS (
        WITH RECURSIVE chain (id) AS (
          SELECT :to UNION
          SELECT o.superseded_by FROM observations o JOIN chain ON o.id = chain.id WHERE o.superseded_by IS NOT NULL)
        SELECT 1 FROM chain WHERE id = :from)`);
  return (from, to) => from !== undefined && to !== undefined && link.run({ from, to }).changes > 0;
}

/** Returns why a record cannot be stored, or null. */
function reasonAgainst(record: ImportedRecord): string | null {
  if (!(Math.abs(record.createdAtEpoch) <= LATEST_EPOCH)) return 'its time is not one';
  if (record.kind === 'project') return keyOf(record.project) ? null : 'it names no project';
  if (cleanId(record.uid, TEXT_LIMITS.agent) === '') return 'it has no uid';
  if (record.uid.length > TEXT_LIMITS.agent) return `its uid is longer than ${TEXT_LIMITS.agent} characters`;
  if (record.kind === undefined || record.kind === 'observation') {
    const texts = [record.title, record.narrative, ...record.facts.map(({ text }) => text)];
    if (!texts.some((text) => text !== null && text.trim() !== ''))
      return 'it has no title, narrative or facts';
  }
  if (!(record.promptNumber >= 0 && record.promptNumber <= MAX_PROMPT_NUMBER))
    return 'its prompt number is not a whole number from 0';
  return null;
}

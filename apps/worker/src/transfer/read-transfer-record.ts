import {
  HOST_NAMES,
  isRecord,
  OBSERVATION_SOURCES,
  SESSION_STATUSES,
  type ImportedProject,
  type ImportedRecord,
  type ImportedSession,
} from '@claude-mem/core';
import { createFieldReader, type FieldReader } from './field-reader.js';

export type TransferReading =
  { kind: 'record'; record: ImportedRecord } | { kind: 'unusable'; reason: string };

/**
 * Reads one exported record. A missing field gets its default. A field with an unexpected type is reported as a problem.
 */
export function readTransferRecord(value: unknown, { now }: { now: number }): TransferReading {
  if (!isRecord(value)) return unusable('it is no JSON object');
  const fields = createFieldReader(value, now);
  const record = readRecord(fields);
  if (fields.problems.length > 0) return unusable(fields.problems.join('; '));
  if (isEmptyObservation(record)) return unusable('it has neither title nor narrative nor facts');
  return { kind: 'record', record };
}

/** Checks for an observation without content. */
export function isEmptyObservation(record: ImportedRecord): boolean {
  if (record.kind !== undefined && record.kind !== 'observation') return false;
  const { title, narrative, facts } = record;
  return [title, narrative, ...facts.map(({ text }) => text)].every(
    (part) => part === null || part.trim() === '',
  );
}

const KINDS = ['observation', 'project', 'session', 'prompt', 'summary'] as const;

function readRecord(fields: FieldReader): ImportedRecord {
  const { id, text, texts } = fields;
  const kind = fields.oneOf('kind', KINDS) ?? 'observation';
  if (kind === 'project') return readProject(fields);
  const place = {
    uid: fields.requiredId('uid'),
    project: id('project'),
    host: fields.oneOf('host', HOST_NAMES),
    session: id('session'),
    promptNumber: fields.count('prompt_number'),
    createdAtEpoch: fields.time('created_at'),
  };
  switch (kind) {
    case 'session':
      return { kind, ...place, ...readSession(fields, place.createdAtEpoch) };
    case 'prompt':
      return {
        kind,
        ...place,
        promptId: id('prompt_id'),
        promptText: fields.requiredText('text'),
        agentReply: text('agent_reply'),
        branch: text('branch'),
        headCommit: fields.gitId('head_commit'),
      };
    case 'summary':
      return {
        kind,
        ...place,
        request: text('request'),
        investigated: text('investigated'),
        learned: text('learned'),
        completed: text('completed'),
        nextSteps: text('next_steps'),
        notes: text('notes'),
        filesRead: texts('files_read'),
        filesEdited: texts('files_edited'),
      };
    case 'observation':
      return {
        ...place,
        type: id('type') ?? 'discovery',
        title: text('title'),
        subtitle: text('subtitle'),
        narrative: text('narrative'),
        facts: fields.facts('facts'),
        concepts: texts('concepts'),
        filesRead: texts('files_read'),
        filesModified: texts('files_modified'),
        updatedAtEpoch: fields.time('updated_at', place.createdAtEpoch),
        pinned: fields.flag('pinned'),
        supersededBy: id('superseded_by'),
        supersedes: texts('supersedes'),
        source: fields.oneOf('source', OBSERVATION_SOURCES) ?? 'import',
        provider: id('provider'),
        model: id('model'),
        agentId: id('agent_id'),
        agentType: id('agent_type'),
        discoveryTokens: fields.count('discovery_tokens'),
        fileStates: fields.fileStates('file_states'),
        conversationHash: id('conversation_hash'),
      };
  }
}

function readProject(fields: FieldReader): ImportedProject {
  const rootCommit = fields.id('root_commit');
  const remoteHash = fields.id('remote_hash');
  return {
    kind: 'project',
    project: fields.requiredId('project'),
    name: fields.id('name'),
    createdAtEpoch: fields.time('created_at'),
    repository: rootCommit === null ? null : { rootCommit, remoteHash },
  };
}

function readSession(
  fields: FieldReader,
  createdAtEpoch: number,
): Omit<ImportedSession, 'kind' | 'uid' | 'project' | 'session' | 'promptNumber' | 'createdAtEpoch'> {
  const lastActivityEpoch = fields.time('last_activity_at', createdAtEpoch);
  return {
    cwd: fields.text('cwd'),
    title: fields.text('title'),
    userPrompt: fields.text('user_prompt'),
    status: fields.oneOf('status', SESSION_STATUSES) ?? 'completed',
    lastActivityEpoch,
    completedAtEpoch: fields.has('completed_at') ? fields.time('completed_at') : null,
    toolUses: fields.toolUses('tool_uses'),
  };
}

const unusable = (reason: string): TransferReading => ({ kind: 'unusable', reason });

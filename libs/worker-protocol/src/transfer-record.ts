import type { ImportedRecord } from '@claude-mem/core';
import type { TransferRecord } from './schemas/transfer.js';

/** Formats a record for an export file. Equal records have equal JSON in every memory. */
export function toTransferRecord(record: ImportedRecord): TransferRecord {
  if (record.kind === 'project') {
    const { project, name, createdAtEpoch, repository } = record;
    return {
      kind: 'project',
      project: keyOf(project),
      name: name ?? keyOf(project),
      created_at: isoOf(createdAtEpoch),
      root_commit: repository?.rootCommit ?? null,
      remote_hash: repository?.remoteHash ?? null,
    };
  }
  const place = {
    uid: record.uid,
    project: keyOf(record.project),
    host: record.host ?? 'import',
    session: record.session ?? '',
    prompt_number: record.promptNumber,
    created_at: isoOf(record.createdAtEpoch),
  };
  switch (record.kind) {
    case 'session':
      return {
        kind: 'session',
        ...place,
        cwd: record.cwd,
        title: record.title,
        user_prompt: record.userPrompt,
        status: record.status,
        last_activity_at: isoOf(record.lastActivityEpoch),
        completed_at: record.completedAtEpoch === null ? null : isoOf(record.completedAtEpoch),
        tool_uses: record.toolUses === null ? null : [...record.toolUses],
      };
    case 'prompt':
      return {
        kind: 'prompt',
        ...place,
        prompt_id: record.promptId,
        text: record.promptText,
        ...(record.agentReply != null && { agent_reply: record.agentReply }),
        ...(record.branch != null && { branch: record.branch }),
        ...(record.headCommit != null && { head_commit: record.headCommit }),
      };
    case 'summary':
      return {
        kind: 'summary',
        ...place,
        request: record.request,
        investigated: record.investigated,
        learned: record.learned,
        completed: record.completed,
        next_steps: record.nextSteps,
        notes: record.notes,
        files_read: [...record.filesRead],
        files_edited: [...record.filesEdited],
      };
    default:
      return {
        kind: 'observation',
        ...place,
        type: record.type,
        title: record.title,
        subtitle: record.subtitle,
        narrative: record.narrative,
        facts: record.facts.map(({ text, origin }) => (origin === null ? text : { text, origin })),
        concepts: [...record.concepts],
        files_read: [...record.filesRead],
        files_modified: [...record.filesModified],
        updated_at: isoOf(record.updatedAtEpoch ?? record.createdAtEpoch),
        pinned: record.pinned ?? false,
        superseded_by: record.supersededBy ?? null,
        supersedes: [...(record.supersedes ?? [])],
        source: record.source ?? 'import',
        provider: record.provider ?? null,
        model: record.model ?? null,
        agent_id: record.agentId ?? null,
        agent_type: record.agentType ?? null,
        discovery_tokens: record.discoveryTokens ?? 0,
        ...(record.conversationHash != null && { conversation_hash: record.conversationHash }),
        ...(record.fileStates?.length && { file_states: [...record.fileStates] }),
      };
  }
}

const isoOf = (epoch: number) => new Date(epoch).toISOString();
const keyOf = (project: ImportedRecord['project']) =>
  project === null || typeof project === 'string' ? (project ?? '') : project.key;

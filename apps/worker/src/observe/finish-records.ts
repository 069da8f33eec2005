import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { evidenceOf } from '@claude-mem/agent-providers';
import { scrubJson } from '@claude-mem/privacy';

export interface FinishedRecords {
  observations: (ObservationDraft & {
    agentId: string | null;
    agentType: string | null;
    discoveryTokens: number;
  })[];
  summary: SummaryDraft | null;
}

/**
 * What an observer said, as far as it may be stored: scrubbed once more, files claimed as modified only where the turn's
 * own tool uses show it, labelled with the sub-agent whose work it was.
 */
export function finishRecords(
  batch: ObserverBatch,
  records: { observations: readonly ObservationDraft[]; summary: SummaryDraft | null },
  { payloadBytes }: { payloadBytes: number },
): FinishedRecords {
  const modified = new Set(evidenceOf(batch).filesModified);
  const agent = onlyAgentOf(batch);
  // what reading it all would have cost, shared among what came of it
  const discoveryTokens = Math.ceil(payloadBytes / 4 / Math.max(1, records.observations.length));
  const scrub = <Value>(value: Value) => scrubJson(value).value as unknown as Value;
  return {
    observations: records.observations.map((draft) => {
      const clean = scrub(draft);
      const filesModified = clean.filesModified.filter((file) => modified.has(file));
      const filesRead = [...new Set([...clean.filesRead, ...unproven(clean, modified)])];
      return { ...clean, filesModified, filesRead, ...agent, discoveryTokens };
    }),
    summary: records.summary === null ? null : withProof(scrub(records.summary), modified),
  };
}

/** Files named as changed without proof were at least looked at. */
function unproven(draft: ObservationDraft, modified: ReadonlySet<string>): string[] {
  return draft.filesModified.filter((file) => !modified.has(file));
}

function withProof(summary: SummaryDraft, modified: ReadonlySet<string>): SummaryDraft {
  return { ...summary, filesEdited: summary.filesEdited.filter((file) => modified.has(file)) };
}

function onlyAgentOf({ toolUses }: ObserverBatch): { agentId: string | null; agentType: string | null } {
  const ids = new Set(toolUses.map(({ agentId }) => agentId));
  const first = toolUses[0];
  return ids.size === 1 && first
    ? { agentId: first.agentId, agentType: first.agentType }
    : { agentId: null, agentType: null };
}

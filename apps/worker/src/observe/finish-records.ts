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
 * own tool uses show it (`isProven`: the observer itself took them from there), labelled with the sub-agent whose work it was.
 */
export function finishRecords(
  batch: ObserverBatch,
  records: { observations: readonly ObservationDraft[]; summary: SummaryDraft | null },
  { payloadBytes, isProven }: { payloadBytes: number; isProven: boolean },
): FinishedRecords {
  const modified = isProven ? null : new Set(evidenceOf(batch).filesModified);
  const isModified = (file: string) => modified === null || modified.has(file);
  const agent = onlyAgentOf(batch);
  // what reading it all would have cost, shared among what came of it
  const discoveryTokens = Math.ceil(payloadBytes / 4 / Math.max(1, records.observations.length));
  const scrub = <Value>(value: Value) => scrubJson(value).value as unknown as Value;
  return {
    observations: records.observations.map((draft) => {
      const clean = scrub(draft);
      const filesModified = clean.filesModified.filter(isModified);
      // what is named as changed without proof was at least looked at
      const filesRead = [
        ...new Set([...clean.filesRead, ...clean.filesModified.filter((file) => !isModified(file))]),
      ];
      return { ...clean, filesModified, filesRead, ...agent, discoveryTokens };
    }),
    summary: records.summary === null ? null : withProof(scrub(records.summary), isModified),
  };
}

function withProof(summary: SummaryDraft, isModified: (file: string) => boolean): SummaryDraft {
  return { ...summary, filesEdited: summary.filesEdited.filter(isModified) };
}

function onlyAgentOf({ toolUses }: ObserverBatch): { agentId: string | null; agentType: string | null } {
  const ids = new Set(toolUses.map(({ agentId }) => agentId));
  const first = toolUses[0];
  return ids.size === 1 && first
    ? { agentId: first.agentId, agentType: first.agentType }
    : { agentId: null, agentType: null };
}

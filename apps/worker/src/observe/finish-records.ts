import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { changedFiles, readEvidence } from '@claude-mem/agent-providers';
import { scrubJson } from '@claude-mem/privacy';
import { markUnprovenCommits } from './mark-unproven-commits.js';
import type { Records } from './read-reply.js';

export interface FinishedRecords {
  observations: (ObservationDraft & {
    agentId: string | null;
    agentType: string | null;
    discoveryTokens: number;
  })[];
  summary: SummaryDraft | null;
}

/**
 * What an observer said, as far as it may be stored: scrubbed once more, claims of changed files and commits only where the
 * turn's own tool uses show them (`isProven`: the observer itself took them from there), labelled with the sub-agent whose
 * work it was.
 */
export async function finishRecords(
  batch: ObserverBatch,
  records: Records,
  { payloadBytes, isProven, signal }: { payloadBytes: number; isProven: boolean; signal: AbortSignal },
): Promise<FinishedRecords> {
  const scrub = <Value>(value: Value) => scrubJson(value).value as unknown as Value;
  const clean: Records = {
    observations: records.observations.map(scrub),
    summary: withRequestOfUser(scrub(records.summary), batch),
  };
  const { observations, summary } = isProven ? clean : await withProof(clean, batch, signal);
  const agent = onlyAgentOf(batch);
  // what reading it all would have cost, shared among what came of it
  const discoveryTokens = Math.ceil(payloadBytes / 4 / Math.max(1, observations.length));
  return { observations: observations.map((draft) => ({ ...draft, ...agent, discoveryTokens })), summary };
}

/** An observer may describe the work as a request where nobody asked anything. */
function withRequestOfUser(summary: SummaryDraft | null, { prompt, session }: ObserverBatch) {
  const hasRequest = [prompt, session.goal].some((text) => (text ?? '').trim() !== '');
  return summary === null || hasRequest ? summary : { ...summary, request: null };
}

async function withProof(records: Records, batch: ObserverBatch, signal: AbortSignal): Promise<Records> {
  const claimsFiles =
    records.observations.some(({ filesModified }) => filesModified.length > 0) ||
    (records.summary?.filesEdited.length ?? 0) > 0;
  const evidence = claimsFiles ? await readEvidence(batch, { signal }) : null;
  const modified = new Set(evidence === null ? [] : changedFiles(evidence));
  const oldNames = new Map(evidence?.changes.map(({ path, from }) => [path, from]));
  const { observations, summary } = markUnprovenCommits(records, batch);
  const inProject = (files: readonly string[]) =>
    files.map((file) => relativeTo(batch.session.projectRoot, file));
  const proven = (files: readonly string[]) => {
    const changed = files.filter((file) => modified.has(file));
    // models name a moved file by its new name only
    return [...new Set([...changed, ...changed.flatMap((file) => oldNames.get(file) ?? [])])];
  };
  return {
    observations: observations.map((draft) => {
      const claimed = inProject(draft.filesModified);
      // what is named as changed without proof was at least looked at
      const onlyRead = claimed.filter((file) => !modified.has(file));
      return {
        ...draft,
        filesModified: proven(claimed),
        filesRead: [...new Set([...inProject(draft.filesRead), ...onlyRead])],
      };
    }),
    summary: summary && {
      ...summary,
      filesRead: inProject(summary.filesRead),
      filesEdited: proven(inProject(summary.filesEdited)),
    },
  };
}

/** Models write paths as they please; evidence has them relative to the project. */
function relativeTo(root: string | null, file: string): string {
  const inside = root !== null && file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  return inside.replace(/^(?:\.\/)+/, '');
}

function onlyAgentOf({ toolUses }: ObserverBatch): { agentId: string | null; agentType: string | null } {
  const ids = new Set(toolUses.map(({ agentId }) => agentId));
  const first = toolUses[0];
  return ids.size === 1 && first
    ? { agentId: first.agentId, agentType: first.agentType }
    : { agentId: null, agentType: null };
}

import {
  toFacts,
  type Fact,
  type ObservationDraft,
  type ObserverBatch,
  type SummaryDraft,
  escapeRegExp,
} from '@claude-mem/core';
import { changedFiles, readEvidence, type TurnEvidence } from '@claude-mem/evidence';
import { listOpenFailures, readUserRequest } from '@claude-mem/local-observer/summary-fields';
import { scrubJson } from '@claude-mem/privacy';
import { createEvidenceCheck } from './create-evidence-check.js';
import { createUserCheck } from './create-user-check.js';
import { markUnprovenCommits } from './mark-unproven-commits.js';
import type { Records } from '../read-reply.js';

/** Records that were verified and may be stored. */
export interface VerifiedRecords {
  observations: (ObservationDraft & {
    agentId: string | null;
    agentType: string | null;
    discoveryTokens: number;
  })[];
  summary: SummaryDraft | null;
}

/** Maximum number of records per reply. The prompt requests fewer, but a text that the model reads can request more. */
const MAX_RECORDS = 8;

/**
 * Verifies the records of an observer. Removes secrets, and sets the request to the text of the user. Removes files
 * and marks commits that the tool uses do not prove. Adds the sub-agent whose work the records describe.
 * @param options.payloadBytes size of the messages of the batch
 * @param options.isProven true if the records were taken from the tool uses without a model
 */
export async function verifyRecords(
  batch: ObserverBatch,
  records: Records,
  { payloadBytes, isProven, signal }: { payloadBytes: number; isProven: boolean; signal: AbortSignal },
): Promise<VerifiedRecords> {
  const scrub = <Value>(value: Value) => scrubJson(value).value as unknown as Value;
  const clean: Records = {
    observations: records.observations.map(scrub),
    // A model may write a summary for a part of a turn, although none was requested.
    summary: batch.closing && scrub(records.summary),
  };
  const verified = isProven ? clean : await withProof(clean, batch, signal);
  const { summary } = verified;
  const observations = sortByEvidence(verified.observations).slice(0, MAX_RECORDS);
  const agent = findSingleAgent(batch);
  // Estimated cost of reading all messages, in tokens, divided among the records.
  const discoveryTokens = Math.ceil(payloadBytes / 4 / Math.max(1, observations.length));
  return { observations: observations.map((draft) => ({ ...draft, ...agent, discoveryTokens })), summary };
}

/**
 * Moves records with changed files to the front, because a reply can repeat records of earlier turns before the new
 * ones.
 */
const sortByEvidence = (observations: readonly ObservationDraft[]): readonly ObservationDraft[] =>
  observations.toSorted((a, b) => Number(b.filesModified.length > 0) - Number(a.filesModified.length > 0));

async function withProof(records: Records, batch: ObserverBatch, signal: AbortSignal): Promise<Records> {
  const evidence = await readEvidence(batch, { signal });
  const modified = new Set(changedFiles(evidence));
  const oldNames = new Map(evidence.changes.map(({ path, from }) => [path, from]));
  const { observations, summary } = markUnprovenCommits(records, batch);
  const isRead = createReadTest(batch, evidence);
  const failures = listOpenFailures({ evidence });
  const withOrigin = createOriginMarker(batch, evidence);
  const inProject = (files: readonly string[]) =>
    files.map((file) => relativeTo(batch.session.projectRoot, file));
  const read = (files: readonly string[]) => [...new Set(files.filter(isRead))];
  const proven = (files: readonly string[]) => {
    const changed = files.filter((file) => modified.has(file));
    // Models write only the new name of a moved file.
    return [...new Set([...changed, ...changed.flatMap((file) => oldNames.get(file) ?? [])])];
  };
  return {
    observations: observations.map((draft) => {
      const claimed = inProject(draft.filesModified);
      // A file that is reported as changed without evidence may still have been read.
      const onlyRead = claimed.filter((file) => !modified.has(file));
      return {
        ...draft,
        facts: [...draft.facts.map(withOrigin), ...toFacts(failures, 'evidence')],
        filesModified: proven(claimed),
        filesRead: read([...inProject(draft.filesRead), ...onlyRead]),
      };
    }),
    summary: summary && {
      ...summary,
      request: readUserRequest(batch, evidence),
      completed: withFailures(summary.completed, failures),
      filesRead: read(inProject(summary.filesRead)),
      filesEdited: proven(inProject(summary.filesEdited)),
    },
  };
}

/** Creates a function that sets the origin of a fact. An origin in the reply counts only if the batch proves it. */
function createOriginMarker(batch: ObserverBatch, evidence: TurnEvidence): (fact: Fact) => Fact {
  const { projectRoot } = batch.session;
  const prompts = [batch.prompt ?? '', ...batch.conversation.map(({ prompt }) => prompt)];
  // In the input of the observer, project paths have no root.
  const local = (text: string) => (projectRoot === null ? text : text.replaceAll(`${projectRoot}/`, ''));
  const isOfUser = createUserCheck(prompts.map(local));
  const isProven = createEvidenceCheck(batch, evidence);
  return (fact) => {
    const text = local(fact.text);
    if (isOfUser(text)) return { ...fact, origin: 'user' };
    return { ...fact, origin: fact.origin === 'evidence' && isProven(text) ? 'evidence' : 'agent' };
  };
}

/** Appends the failed checks, because a reply can claim that all tests pass although the last run failed. */
const withFailures = (completed: string | null, failures: readonly string[]): string | null =>
  completed === null || failures.length === 0
    ? completed
    : [completed.replace(/[.\s]+$/, ''), ...failures].join('. ');

/** Creates a predicate that is true if the turn read the file, or if a tool input names this file of the project. */
function createReadTest({ toolUses }: ObserverBatch, evidence: TurnEvidence): (file: string) => boolean {
  const known = new Set([
    ...evidence.filesRead,
    ...changedFiles(evidence),
    ...evidence.failedWrites.map(({ path }) => path),
  ]);
  let inputs: string | null = null;
  return (file) => {
    if (known.has(file)) return true;
    if (file === '' || /^(?:[/~]|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(file)) return false;
    inputs ??= toolUses.map(({ input }) => JSON.stringify(input)).join('\n');
    return new RegExp(`(?<![\\w.-])${escapeRegExp(file)}(?![\\w/-])`).test(inputs);
  };
}

/** Removes the root from a path, because evidence contains paths relative to the project. */
function relativeTo(root: string | null, file: string): string {
  const inside = root !== null && file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  return inside.replace(/^(?:\.\/)+/, '');
}

function findSingleAgent({ toolUses }: ObserverBatch): { agentId: string | null; agentType: string | null } {
  const ids = new Set(toolUses.map(({ agentId }) => agentId));
  const first = toolUses[0];
  return ids.size === 1 && first
    ? { agentId: first.agentId, agentType: first.agentType }
    : { agentId: null, agentType: null };
}

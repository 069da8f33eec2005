import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { createLocalProvider } from '@claude-mem/local-observer';

export interface StoredRecords {
  observations: readonly ObservationDraft[];
  summaries: readonly SummaryDraft[];
}

export const SUMMARY_FIELDS = [
  'request',
  'investigated',
  'learned',
  'completed',
  'nextSteps',
  'notes',
] as const;

/** Returns the records that the local observer creates for the batches of one turn. */
export async function observeLocally(batches: readonly ObserverBatch[]): Promise<StoredRecords> {
  const observations: ObservationDraft[] = [];
  const summaries: SummaryDraft[] = [];
  await using conversation = await createLocalProvider().startConversation();
  for (const batch of batches) {
    const titles = observations.flatMap(({ title }) => title ?? []);
    const reply = await conversation.send({
      instructions: '',
      prompt: '',
      batch: { ...batch, recordedTitles: titles },
    });
    if (reply.kind !== 'records') throw new Error('the local provider answers with records');
    observations.push(...reply.observations);
    if (reply.summary) summaries.push(reply.summary);
  }
  return { observations, summaries };
}

export function formatRecords({ observations, summaries }: StoredRecords): string {
  const lines = observations.flatMap((record) => [
    `  [${record.type}] ${record.title}`,
    `    ${record.subtitle}`,
    `    ${record.narrative}`,
    ...record.facts.map(({ text, origin }) => `    * [${origin}] ${text}`),
    `    concepts ${record.concepts.join(', ')} | read ${record.filesRead.join(', ')} | modified ${record.filesModified.join(', ')}`,
  ]);
  for (const summary of summaries)
    for (const field of SUMMARY_FIELDS) lines.push(`  ${field}: ${summary[field]}`);
  return lines.length === 0 ? '  (nothing)' : lines.join('\n');
}

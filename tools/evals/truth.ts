// npm run eval -- truth [options]: checks that the turn contains each quotation, name and number in the records of the local
// observer, and that each fact of origin `evidence` names a file, command, commit or count of the evidence.
//   --show      prints the sentences without a source
//   --sample N  prints N random records with their turns; --seed S selects other records
// The exit code is 1 when nothing could be measured.
import { parseArgs } from 'node:util';
import { toSingleLine, truncate, type ObserverBatch } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';
import { readTurns } from './context/read-codemem.js';
import { formatRecords, observeLocally, type StoredRecords } from './local-records.js';
import { dataSetFolder, recordedTurns, transcripts } from './recorded-turns.js';
import { formatTable, runPart, share, type Row } from './rows.js';
import { checkRecords, type Checked } from './truth/find-unsourced.js';

const { values } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

interface Observed {
  name: string;
  batch: ObserverBatch;
  records: StoredRecords;
}

await measure(dataSetFolder());

async function measure(folder: string): Promise<void> {
  await runPart('truth', async (samples) => {
    const observed: Observed[] = [];
    for (const [name, batch] of await allTurns(folder))
      await samples.add(async () => {
        observed.push({ name, batch, records: await observeLocally([batch]) });
      });
    if (values.sample === undefined) showChecks(observed);
    else for (const one of sampleOf(observed, Number(values.sample))) console.log(formatObserved(one));
  });
}

async function allTurns(folder: string): Promise<[string, ObserverBatch][]> {
  const turns: [string, ObserverBatch][] = [];
  for (const name of transcripts(folder))
    for (const batch of await recordedTurns(folder, name))
      turns.push([`${name} ${batch.promptNumber}`, batch]);
  for (const { session, batch } of readTurns(folder)) turns.push([`${session} ${batch.promptNumber}`, batch]);
  return turns;
}

function showChecks(observed: readonly Observed[]): void {
  const checked = observed.flatMap(({ name, batch, records }) =>
    checkRecords(batch, records).map((one) => ({ ...one, name })),
  );
  const unsourced = checked.filter((one) => one.unsourced.length > 0);
  if (values.show)
    for (const { name, kind, text, unsourced: parts } of unsourced)
      console.log(`${name} ${kind}: ${text}\n    ${parts.map((part) => part.trim()).join(' ⏐ ')}`);
  const kinds = [...new Set(checked.map(({ kind }) => kind))];
  const rowOf = (measure: string, isIncluded: (one: Checked) => boolean): Row =>
    share(measure, unsourced.filter(isIncluded).length, checked.filter(isIncluded).length);
  console.log(`${observed.length} turns, ${observed.filter(hasRecord).length} with a record`);
  console.log(
    formatTable([
      rowOf('without a source: all', () => true),
      ...kinds.map((kind) => rowOf(`… ${kind}`, (one) => one.kind === kind)),
    ]),
  );
}

function hasRecord({ records: { observations, summaries } }: Observed): boolean {
  return observations.length + summaries.length > 0;
}

function sampleOf(observed: readonly Observed[], count: number): Observed[] {
  const random = randomFrom(Number(values.seed));
  return observed
    .filter(hasRecord)
    .map((one) => ({ one, at: random() }))
    .sort((left, right) => left.at - right.at)
    .slice(0, count)
    .map(({ one }) => one);
}

function formatObserved({ name, batch, records }: Observed): string {
  const cut = (text: string, length: number) => truncate(toSingleLine(text), length);
  return [
    `\n=== ${name}`,
    `prompt: ${cut(batch.prompt ?? '', 600)}`,
    ...batch.toolUses.map(
      ({ toolName, input, response, error, outcome }) =>
        `- ${toolName} ${outcome}: ${cut(JSON.stringify(input), 200)} → ${cut(error ?? JSON.stringify(response), 200)}`,
    ),
    `closing: ${batch.closing?.lastAssistantMessage ?? `(${batch.closing?.reason})`}`,
    formatRecords(records),
  ].join('\n');
}

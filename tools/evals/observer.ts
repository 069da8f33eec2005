import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ObserverBatch } from '@claude-mem/core';
import { Samples } from '../bench/samples.mjs';
import { formatRecords, observeLocally, type StoredRecords } from './local-records.js';
import { dataSetFolder, recordedTurns, transcripts } from './recorded-turns.js';
import { scoreTurn, type Example } from './score-observer.js';

const { values } = parseArgs({
  options: {
    show: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    full: { type: 'boolean' },
    transcript: { type: 'string' },
  },
});

if (values.all) await listAllTurns(dataSetFolder());
else await scoreExamples(dataSetFolder());

/** Scores the fourteen examples. `--show ID` also prints the records, and the criteria that need a human judge. */
async function scoreExamples(folder: string): Promise<void> {
  const examples = JSON.parse(
    readFileSync(join(folder, 'cases', 'observer-examples.json'), 'utf8'),
  ) as Example[];
  const samples = new Samples<{ example: Example; score: ReturnType<typeof scoreTurn> }>();
  for (const example of examples) {
    await samples.add(async () => {
      const records = await observeLocally(turnOf(example, await recordedTurns(folder, example.transcript)));
      const score = scoreTurn(example, records);
      if (values.show?.some((id) => id === example.id || id === 'all')) showExample(example, records, score);
      return { example, score };
    });
  }
  const rows = samples.values;
  console.log('turn  musts  broken  count  type  what is missing or broken');
  for (const { example, score } of rows) {
    const complaints = [
      ...score.missing.map((mark) => `- ${mark}`),
      ...score.broken.map((mark) => `! ${mark}`),
    ];
    console.log(
      [
        example.id,
        `${score.met}/${score.total}`.padStart(5),
        String(score.broken.length).padStart(6),
        (score.countIsRight ? 'ok' : `${score.count}!`).padStart(5),
        (score.typeIsRight ? 'ok' : 'no').padStart(4),
        complaints.join('; '),
      ].join('  '),
    );
  }
  const total = (read: (score: ReturnType<typeof scoreTurn>) => number) =>
    rows.reduce((sum, { score }) => sum + read(score), 0);
  const [met, all, broken] = [
    total(({ met }) => met),
    total(({ total }) => total),
    total(({ broken }) => broken.length),
  ];
  const judged = total(({ forJudge }) => forJudge);
  console.log(
    `musts met: ${met} of ${all} (${Math.round((met / all) * 100)} %), must-nots broken: ${broken}`,
  );
  console.log(
    `count in range: ${total(({ countIsRight }) => Number(countIsRight))} of ${rows.length}, type right: ${total(({ typeIsRight }) => Number(typeIsRight))} of ${rows.length}, marks for a judge (not counted): ${judged}`,
  );
  if (samples.formatMissed() !== '') console.log(samples.formatMissed());
  if (rows.length === 0 || met / all < 0.8 || broken > 0) process.exitCode = 1;
}

/** Prints the titles of every turn of every transcript, or with `--full` the complete records. */
async function listAllTurns(folder: string): Promise<void> {
  for (const transcript of transcripts(folder)) {
    if (values.transcript !== undefined && !transcript.includes(values.transcript)) continue;
    console.log(`\n## ${transcript}`);
    for (const batch of await recordedTurns(folder, transcript)) {
      const records = await observeLocally([batch]);
      const prompt = (batch.prompt ?? '').replace(/\s+/g, ' ').slice(0, 90);
      console.log(`${batch.promptNumber}. [${batch.toolUses.length} tool uses] ${prompt}`);
      if (values.full) console.log(formatRecords(records));
      else records.observations.forEach(({ type, title }) => console.log(`   ${type}: ${title}`));
    }
  }
}

/** Prompts that the user enters while the turn is running belong to the turn. */
function turnOf(example: Example, batches: readonly ObserverBatch[]): ObserverBatch[] {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const wanted = plain(example.prompt_start);
  const start = batches.findIndex(
    ({ prompt, promptNumber }, index) =>
      plain(prompt ?? '').startsWith(wanted) &&
      (wanted.length > 10 || promptNumber === example.prompt_number || index === batches.length - 1),
  );
  if (start === -1) throw new Error(`the prompt of ${example.id} is not in ${example.transcript}`);
  const turn: ObserverBatch[] = [];
  let toolUses = 0;
  for (const batch of batches.slice(start)) {
    if (turn.length > 0 && toolUses >= example.tool_uses) break;
    turn.push(batch);
    toolUses += batch.toolUses.length;
  }
  return turn;
}

function showExample(example: Example, records: StoredRecords, score: ReturnType<typeof scoreTurn>): void {
  console.log(`\n=== ${example.id} ${example.kind}\n${formatRecords(records)}`);
  console.log(`missing: ${score.missing.join(' · ') || '-'}\nbroken: ${score.broken.join(' · ') || '-'}`);
  for (const [list, marks] of Object.entries({ must: example.must, 'must not': example.must_not })) {
    for (const mark of marks) if (mark.startsWith('fact:')) console.log(`${list} (judge) ${mark}`);
  }
}

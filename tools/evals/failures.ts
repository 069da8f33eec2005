// npm run eval -- failures [options]: replays recorded sessions and measures the earlier fix that a failed command is answered with
// (CLAUDE_MEM_RECALL_ON_FAILURE). A failed command searches only records of earlier turns of the same project.
//   --show  prints each answer with the fix that followed
//   --json  prints the figures as JSON
// The exit code is 1 when nothing could be measured.
import { parseArgs } from 'node:util';
import { estimateTokens, type ObserverBatch } from '@claude-mem/core';
import { renderKnownFix } from '@claude-mem/context-render';
import {
  errorOfCommand,
  collectEvidence,
  findKnownFix,
  isSameError,
  readErrorPattern,
  type ErrorPattern,
  type KnownFix,
  type TurnEvidence,
} from '@claude-mem/evidence';
import { openReplay, type Replay } from './context/open-replay.js';
import { PROJECT, readTurns, type RecordedTurn } from './context/read-codemem.js';
import { dataSetFolder, recordedTurns, transcripts } from './recorded-turns.js';
import { formatTable, quantile, runPart, share, type Row } from './rows.js';

const { values } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** Maximum number of inspected records, as in the worker. */
const MAX_INSPECTED = 40;
const PRECISION_GOAL = 0.7;

interface Failure {
  session: string;
  error: string;
  /** True if a command of an earlier turn ended with the same error. */
  isRepeated: boolean;
  known: KnownFix | null;
  /** The fix later in the session; null if no check proves a fix. */
  fix: { files: readonly string[]; commands: readonly string[] } | null;
  milliseconds: number;
}

await runPart('failures', async (samples) => {
  const failures: Failure[] = [];
  for (const turns of await projectsOf(dataSetFolder()))
    await samples.add(async () => {
      failures.push(...(await replayProject(turns)));
    });
  if (values.show && !values.json)
    for (const one of failures) if (one.known !== null) console.log(formatFailure(one, one.known));
  const rows = rowsOf(failures);
  console.log(values.json ? JSON.stringify(rows, null, 2) : formatTable(rows));
});

/** The turns of each project, ordered by time. */
async function projectsOf(folder: string): Promise<RecordedTurn[][]> {
  const projects = new Map<string, RecordedTurn[]>();
  for (const name of transcripts(folder)) {
    const batches = await recordedTurns(folder, name);
    const root = batches[0]?.session.projectRoot ?? name;
    const turns = batches.map((batch) => ({ session: name, branch: '', ...timesOf(batch), batch }));
    projects.set(root, [...(projects.get(root) ?? []), ...turns]);
  }
  return [withoutCopies(readTurns(folder)), ...projects.values()].map((turns) =>
    turns.toSorted((left, right) => left.beganAt - right.beganAt),
  );
}

/** Some sessions are recorded twice under different dates. Their errors count once. */
function withoutCopies(turns: readonly RecordedTurn[]): RecordedTurn[] {
  const seen = new Set<string>();
  return turns.filter(({ session, batch }) => {
    const name = `${session.replace(/^\d{4}-\d\d-\d\d-/, '')} ${batch.promptNumber}`;
    return !seen.has(name) && seen.add(name);
  });
}

function timesOf({ toolUses, promptNumber }: ObserverBatch): { beganAt: number; endedAt: number } {
  const times = toolUses.map(({ createdAtEpoch }) => createdAtEpoch);
  // A turn without tool uses has no time, and its records contain no fix.
  return times.length === 0
    ? { beganAt: promptNumber, endedAt: promptNumber }
    : { beganAt: Math.min(...times), endedAt: Math.max(...times) };
}

async function replayProject(turns: readonly RecordedTurn[]): Promise<Failure[]> {
  await using replay = await openReplay(turns);
  const observed = turns.map((turn) => ({ turn, evidence: collectEvidence(turn.batch) }));
  const earlier: ErrorPattern[] = [];
  const failures: Failure[] = [];
  for (const [index, one] of observed.entries()) {
    await replay.advanceTo(one.turn.beganAt);
    const later = observed.slice(index).filter(({ turn }) => turn.session === one.turn.session);
    const found = await failuresOf(later, { replay, earlier });
    failures.push(...found);
    earlier.push(...found.map(({ error }) => readErrorPattern(error)));
  }
  return failures;
}

interface ObservedTurn {
  turn: RecordedTurn;
  evidence: TurnEvidence;
}

/** Only failures of the first turn are measured, because later turns of the session can show the fix. */
async function failuresOf(
  turns: readonly ObservedTurn[],
  { replay, earlier }: { replay: Replay; earlier: readonly ErrorPattern[] },
): Promise<Failure[]> {
  const [first] = turns;
  if (first === undefined) return [];
  const { session, batch } = first.turn;
  const failures: Failure[] = [];
  for (const [at, use] of batch.toolUses.entries()) {
    const error = errorOfCommand(use, batch.session.projectRoot);
    if (error === null) continue;
    const started = performance.now();
    const { items } = await replay.memory.search({
      query: error,
      project: PROJECT.key,
      limit: MAX_INSPECTED,
      meaning: false,
    });
    const known = findKnownFix(
      items.map(({ item }) => item),
      error,
    );
    const milliseconds = performance.now() - started;
    const pattern = readErrorPattern(error);
    failures.push({
      session,
      error,
      isRepeated: earlier.some((one) => isSameError(one, pattern)),
      known,
      fix: fixAfter(at, turns),
      milliseconds,
    });
  }
  return failures;
}

/** Returns the files and commands between a failed check and its next success. */
function fixAfter(failedAt: number, turns: readonly ObservedTurn[]): Failure['fix'] {
  const key = turns[0]?.evidence.commands.find(({ at }) => at === failedAt)?.key;
  const files: string[] = [];
  const commands: string[] = [];
  for (const [index, { evidence }] of turns.entries()) {
    const from = index === 0 ? failedAt : -1;
    const passed = evidence.commands.find(
      (run) => run.at > from && run.key === key && run.outcome === 'passed',
    );
    const isBetween = ({ at }: { at: number }) => at > from && at < (passed?.at ?? Infinity);
    files.push(...evidence.edits.filter(isBetween).map(({ path }) => path));
    commands.push(...evidence.commands.filter(isBetween).map(({ displayLine }) => displayLine));
    if (passed) return { files, commands };
  }
  return null;
}

/** Returns true if the known fix names a file that was edited, or a command that ran, before the check succeeded. */
function isRight({ fix }: Failure, known: KnownFix): boolean {
  const [, how = ''] = known.fix.split(' passes after ');
  return fix !== null && [...fix.files, ...fix.commands].some((text) => how.includes(`\`${text}\``));
}

function rowsOf(failures: readonly Failure[]): Row[] {
  const repeated = failures.filter(({ isRepeated }) => isRepeated);
  const answered = failures.flatMap((one) => (one.known === null ? [] : [{ one, known: one.known }]));
  const fixed = answered.filter(({ one }) => one.fix !== null);
  const right = answered.filter(({ one, known }) => isRight(one, known));
  const tokens = answered.map(({ known }) => estimateTokens(renderKnownFix(known)));
  const times = failures.map(({ milliseconds }) => milliseconds);
  return [
    share('failed commands whose error occurred in an earlier turn', repeated.length, failures.length),
    share('… answered with an earlier fix (coverage)', answered.length, repeated.length),
    share('answers that name what fixed the error this time (precision)', right.length, answered.length, {
      goal: PRECISION_GOAL,
    }),
    share('… of the errors that a later check of the session shows as fixed', right.length, fixed.length),
    { measure: 'tokens, mean', figure: mean(tokens), of: `${tokens.length} answers`, goal: null },
    {
      measure: 'tokens, maximum',
      figure: Math.max(0, ...tokens),
      of: `${tokens.length} answers`,
      goal: 80,
      isUpperLimit: true,
    },
    {
      measure: 'lookup: milliseconds, 50 of 100',
      figure: quantile(times, 0.5),
      of: `${times.length} failures`,
      goal: null,
    },
    { measure: '… 95 of 100', figure: quantile(times, 0.95), of: `${times.length} failures`, goal: null },
  ];
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

function formatFailure(failure: Failure, known: KnownFix): string {
  const { session, error, fix } = failure;
  const followed = fix === null ? 'no fix' : [...new Set(fix.files)].join(', ');
  return `${isRight(failure, known) ? 'right' : 'wrong'} ${session}: ${error}\n    known: ${known.fix}\n    now: ${followed}`;
}

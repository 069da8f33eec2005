// npm run eval -- context [options]: measures which records a session would get and how many of them are relevant.
//   --show  prints each prompt with its records
//   --json  prints the figures as JSON
// A figure below its goal does not change the exit code. The exit code is 1 when something could not be measured.
import { parseArgs } from 'node:util';
import { measureContext, RECALLED, type GivenRecord, type Measured } from './context/measure-context.js';
import { measureLaterPrompts, type MeasuredLaterPrompts } from './context/measure-later-prompts.js';
import { measureSmallMemories, type MeasuredSmallMemories } from './context/measure-small-memories.js';
import { readForeignMemory, readForeignPrompts } from './context/read-foreign-prompts.js';
import { readQueries, readTurns } from './context/read-codemem.js';
import { dataSetFolder } from './recorded-turns.js';
import { formatTable, quantile, runPart, share, type Row } from './rows.js';

const { values } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** Goals for the precision of injected records, and for the share of unrelated prompts without an injection. */
const GOALS = { precision: 0.4, silence: 0.95 };
const TOP = 5;

await measure(dataSetFolder());

async function measure(folder: string): Promise<void> {
  const given = {
    turns: readTurns(folder),
    queries: readQueries(folder),
    foreign: await readForeignPrompts(folder),
  };
  const rows: Row[] = [];
  await runPart('context', async (samples) => {
    const foreignMemory = readForeignMemory(folder);
    const measured = await measureContext({ ...given, foreignMemory, samples });
    if (values.show && !values.json) for (const line of shownOf(measured)) console.log(line);
    rows.push(...rowsOf(measured));
  });
  await runPart('later prompts', async (samples) => {
    rows.push(...rowsOfLater(await measureLaterPrompts({ ...given, samples })));
  });
  await runPart('small memories', async (samples) => {
    rows.push(...rowsOfSmall(await measureSmallMemories({ ...given, samples })));
  });
  console.log(values.json ? JSON.stringify(rows, null, 2) : formatTable(rows));
}

function rowsOf({ prompts, foreign, milliseconds }: Measured): Row[] {
  const later = prompts.slice(Math.floor(prompts.length / 2));
  const asked = prompts.filter(({ relevantSessions }) => relevantSessions > 0);
  const recalled = (some: Prompts) => some.map((one) => one.recalled);
  const atStart = (some: Prompts) => some.map(({ started }) => started.slice(0, TOP));
  const both = (some: Prompts) => some.map((one) => filledUp(one.recalled, one.started));
  return [
    precision(`given by the first prompt: what it recalls, then the start, ${TOP} in all`, both(prompts), {
      goal: GOALS.precision,
    }),
    precision('… the later half of the prompts', both(later), { goal: GOALS.precision }),
    precision(`recall alone, at most ${RECALLED}`, recalled(prompts), { goal: GOALS.precision }),
    precision('… the later half', recalled(later), { goal: GOALS.precision }),
    share(
      '… prompts that are given something',
      prompts.filter((one) => one.recalled.length > 0).length,
      prompts.length,
    ),
    share(
      '… and something relevant, of those that have a relevant session',
      asked.filter((one) => one.recalled.some(({ isRelevant }) => isRelevant)).length,
      asked.length,
    ),
    precision(`session start alone, the first ${TOP}`, atStart(prompts), { goal: GOALS.precision }),
    precision('… the later half', atStart(later), { goal: GOALS.precision }),
    precision('… on a branch of its own', atStart(prompts.filter(({ isOnTrunk }) => !isOnTrunk))),
    precision(
      '… on the branch that others begin from',
      atStart(prompts.filter(({ isOnTrunk }) => isOnTrunk)),
    ),
    precision(
      '… all that is shown',
      prompts.map(({ started }) => started),
    ),
    ...foreign.map(({ name, given, asked: all }) =>
      share(`nothing for ${name}`, all - given, all, { goal: GOALS.silence }),
    ),
    {
      measure: 'recall: milliseconds, 95 of 100',
      figure: quantile(milliseconds, 0.95),
      of: `${milliseconds.length} prompts`,
      goal: null,
    },
  ];
}

function rowsOfLater(sessions: readonly MeasuredLaterPrompts[]): Row[] {
  const rowsOfSome = (some: typeof sessions, name: string): Row[] => {
    const records = some.flatMap((session) => session.records);
    const sum = (count: (session: MeasuredLaterPrompts) => number) =>
      some.reduce((total, session) => total + count(session), 0);
    return [
      share(
        `${name} that are given something new`,
        sum(({ given }) => given),
        sum(({ asked }) => asked),
      ),
      share(
        '… records of relevant sessions',
        records.filter(({ isRelevant }) => isRelevant).length,
        records.length,
      ),
      share(
        '… records that name a file which the turn touched',
        records.filter(({ isTouched }) => isTouched).length,
        records.length,
      ),
    ];
  };
  return [
    ...rowsOfSome(sessions, 'later prompts'),
    ...rowsOfSome(sessions.slice(Math.floor(sessions.length / 2)), 'later prompts of the later half'),
  ];
}

function rowsOfSmall({ onMatter, onAnotherMatter, foreign }: MeasuredSmallMemories): Row[] {
  return [
    share('one session: prompts on its matter that are given something', onMatter.given, onMatter.asked),
    share('… prompts on other matters of the project', onAnotherMatter.given, onAnotherMatter.asked),
    share('… nothing for prompts of other projects', foreign.asked - foreign.given, foreign.asked, {
      goal: GOALS.silence,
    }),
  ];
}

type Prompts = Measured['prompts'];

/** Formats the first records of both lists: those injected with the prompt, then those injected at the start. */
function filledUp(first: readonly GivenRecord[], then: readonly GivenRecord[]): GivenRecord[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...then.filter(({ id }) => !known.has(id))].slice(0, TOP);
}

function precision(
  measure: string,
  given: readonly (readonly GivenRecord[])[],
  { goal = null }: { goal?: number | null } = {},
): Row {
  const all = given.flat();
  return share(measure, all.filter(({ isRelevant }) => isRelevant).length, all.length, { goal });
}

function* shownOf({ prompts }: Measured): Generator<string> {
  for (const { text, reason, recalled, relevantSessions } of prompts) {
    yield `\n${text.replace(/\s+/g, ' ').slice(0, 120)} (${relevantSessions} relevant sessions)`;
    if (recalled.length === 0) yield `   ${reason}`;
    for (const { isRelevant, title } of recalled) yield `   ${isRelevant ? 'yes' : 'no '} ${title}`;
  }
}

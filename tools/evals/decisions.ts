// npm run eval -- decisions [options]: measures which sentences of a conversation are chosen, and which conversations make a record.
//   --show  prints the chosen sentences of each conversation
//   --json  prints the figures as JSON
// Needs no build and no data set. A figure beyond its goal does not change the exit code.
import { parseArgs } from 'node:util';
import { measureDecisions } from './decisions/measure-decisions.js';
import { formatTable, share, type Row } from './rows.js';

const { values } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const { decisions, others } = await measureDecisions();
const count = decisions.length;
const mean = (measure: string, figures: readonly number[], goal: number | null): Row => ({
  measure,
  figure: figures.reduce((sum, figure) => sum + figure, 0) / count,
  of: `${count} conversations`,
  goal,
});
const sumOf = (part: 'injected' | 'possible') => decisions.reduce((sum, one) => sum + one[part], 0);
const rows: Row[] = [
  mean(
    'words of the rule in the chosen sentences',
    decisions.map(({ injected }) => injected),
    0.65,
  ),
  mean(
    '… in the conversation',
    decisions.map(({ possible }) => possible),
    null,
  ),
  {
    measure: '… of those in the conversation',
    figure: sumOf('injected') / sumOf('possible'),
    of: `${count} conversations`,
    goal: 0.75,
  },
  share('decisions that make a record', decisions.filter(({ hasRecord }) => hasRecord).length, count, {
    goal: 0.9,
  }),
  share('other conversations that make a record', others.filter(Boolean).length, others.length, {
    goal: 0.15,
    isUpperLimit: true,
  }),
];
if (values.show && !values.json)
  for (const { id, injected, text } of decisions) console.log(`\n## ${id} ${injected.toFixed(2)}\n${text}`);
console.log(values.json ? JSON.stringify(rows, null, 2) : formatTable(rows));

// npm run providers:table: runs what every observer has to pass and writes the result into docs/providers.md.
// Ends with 1, and writes nothing, when an observer was not run at all; failures are written and end with 1 too.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format } from 'prettier';
import { tsImport } from 'tsx/esm/api';
import { root, run, step } from './workspace.mjs';

const FILE = path.join(root, 'docs', 'providers.md');
const BEGIN = '<!-- written by npm run providers:table -->';
const END = '<!-- end of what is written -->';
const SUITES = { wire: 'On the wire: ', port: 'AgentProvider: ' };
const BY_RULES = 'works by rules: it waits for nobody, and nobody refuses it';
const MARKS = { passed: '✓', failed: '✗' };

try {
  const { PROVIDER_ROWS } = await tsImport('../libs/agent-providers/src/provider-rows.ts', import.meta.url);
  const rows = Object.values(PROVIDER_ROWS);
  const results = await step('Asking every observer', runSuites);
  const names = rows.map(({ name }) => name);
  const vendors = names.filter((name) => name !== 'local');
  const port = suiteTable(SUITES.port, names, results);
  const wire = suiteTable(SUITES.wire, vendors, results);
  const missing = names.filter(
    (name) => !port.ran.has(name) || (vendors.includes(name) && !wire.ran.has(name)),
  );
  if (missing.length > 0) throw new Error(`Not run, so nothing was written: ${missing.join(', ')}.`);
  const notes = createNotes();
  const text = [
    '## What each needs',
    needsTable(rows),
    '## What each was seen to do',
    '✓ passes · – does not apply, for the reason given below · ✗ fails',
    '### With a vendor that answers, refuses, breaks off or falls silent',
    resultTable(wire, vendors, notes),
    '### As any observer',
    resultTable(port, names, notes),
    notes.text(),
  ].join('\n\n');
  await write(text);
  const failed = results.filter(({ mark }) => mark === '✗');
  for (const { suite, title } of failed) console.error(`✗ ${suite}: ${title}`);
  if (failed.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** One entry per case: the suite it stands in, its title, and how it ended. */
async function runSuites() {
  const folder = mkdtempSync(path.join(tmpdir(), 'providers-table-'));
  const outputFile = path.join(folder, 'results.json');
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const pattern = `^(${Object.values(SUITES).join('|')})`;
  const options = ['libs/agent-providers/', '-t', pattern, '--reporter=json'];
  try {
    // a failed case is a result, not a failure of this program
    await run(process.execPath, [vitest, 'run', ...options, `--outputFile=${outputFile}`]).catch(() => {});
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'));
    return testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .map(({ ancestorTitles, title, status, meta }) => {
        const suite = ancestorTitles.find((name) =>
          Object.values(SUITES).some((start) => name.startsWith(start)),
        );
        const reason = meta?.leftOut;
        return { suite, title, reason, mark: MARKS[status] ?? (reason ? '–' : null) };
      })
      .filter(({ suite, mark }) => suite !== undefined && mark !== null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The cases of one suite in the order of whoever has most of them, and the cell of each observer. */
function suiteTable(start, names, results) {
  const [cells, ran] = [new Map(), new Set()];
  const lists = names.map((name) => results.filter(({ suite }) => suite === start + name));
  for (const [index, list] of lists.entries())
    for (const one of list) {
      ran.add(names[index]);
      cells.set(`${names[index]}\n${one.title}`, one);
    }
  const titles = [
    ...new Set(
      lists.toSorted((a, b) => b.length - a.length).flatMap((list) => list.map(({ title }) => title)),
    ),
  ];
  return { titles, cells, ran };
}

function resultTable({ titles, cells }, names, notes) {
  const cell = (name, title) => {
    const found = cells.get(`${name}\n${title}`);
    if (found?.mark === '✓' || found?.mark === '✗') return found.mark;
    return `–${notes.number(found?.reason ?? BY_RULES)}`;
  };
  return table(
    ['case', ...names],
    titles.map((title) => [title, ...names.map((name) => cell(name, title))]),
  );
}

function needsTable(rows) {
  const code = (word) => (word === null ? '–' : `\`${word}\``);
  return table(
    ['observer', 'needs', 'optional package', 'key', 'model', 'default model', 'address'],
    rows.map((row) => [
      code(row.name),
      row.needs,
      code(row.package),
      code(row.keySetting),
      code(row.modelSetting),
      code(row.defaultModel),
      code(row.baseUrlSetting),
    ]),
  );
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Reasons, numbered in the order in which they are met. */
function createNotes() {
  const reasons = [];
  return {
    number(reason) {
      if (!reasons.includes(reason)) reasons.push(reason);
      return `<sup>${reasons.indexOf(reason) + 1}</sup>`;
    },
    text: () => reasons.map((reason, index) => `${index + 1}. ${reason}`).join('\n'),
  };
}

async function write(text) {
  const old = readFileSync(FILE, 'utf8');
  const [before, after] = [old.split(BEGIN)[0], old.split(END)[1]];
  if (after === undefined) throw new Error(`docs/providers.md lacks the line ${END}`);
  const whole = `${before}${BEGIN}\n\n${text}\n\n${END}${after}`;
  writeFileSync(FILE, await format(whole, { parser: 'markdown', singleQuote: true, printWidth: 110 }));
}

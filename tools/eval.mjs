// npm run eval [-- NAME [options]]: measures the quality of a component. Names: search (the default), observer, truth, context, failures, sde, decisions.
// An eval is skipped when the data that it needs is missing.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataSetFolder, missingDataReason, RECORDED_SESSIONS, SEARCH_SETS } from './bench/data-sets.mjs';

const ROOT = join(import.meta.dirname, '..');
const EVALS = {
  search: {
    script: join(ROOT, 'libs', 'search', 'evals', 'main.ts'),
    dataSets: (args) => requestedSets(args).flatMap((name) => SEARCH_SETS[name] ?? []),
  },
  observer: {
    script: join(ROOT, 'tools', 'evals', 'observer.ts'),
    dataSets: () => ['cases/observer-examples.json', ...RECORDED_SESSIONS],
  },
  truth: {
    script: join(ROOT, 'tools', 'evals', 'truth.ts'),
    dataSets: () => ['data/codemem', ...RECORDED_SESSIONS],
  },
  context: {
    script: join(ROOT, 'tools', 'evals', 'context.ts'),
    dataSets: () => ['data/codemem', 'data/locomo', 'data/cosqa', 'data/claude-mem', ...RECORDED_SESSIONS],
  },
  failures: {
    script: join(ROOT, 'tools', 'evals', 'failures.ts'),
    dataSets: () => ['data/codemem', ...RECORDED_SESSIONS],
  },
  sde: {
    script: join(ROOT, 'tools', 'evals', 'sde.ts'),
    dataSets: () => ['data/sde-bench', 'data/codemem'],
  },
  decisions: { script: join(ROOT, 'tools', 'evals', 'decisions.ts'), dataSets: () => [] },
};

const argv = process.argv.slice(2);
const [name, args] =
  argv[0] === undefined || argv[0].startsWith('-') ? ['search', argv] : [argv[0], argv.slice(1)];

if (!Object.hasOwn(EVALS, name)) {
  console.error(`usage: npm run eval [-- ${Object.keys(EVALS).join('|')} [options]]`);
  process.exitCode = 2;
} else {
  const { script, dataSets } = EVALS[name];
  const reason = missingDataReason(dataSets(args));
  if (reason !== null) console.log(`${name}: skipped: ${reason}`);
  else process.exitCode = runEval(script, args);
}

function requestedSets(args) {
  const options = { set: { type: 'string', multiple: true } };
  const { values } = parseArgs({ args, options, strict: false });
  return values.set ?? Object.keys(SEARCH_SETS);
}

function runEval(script, args) {
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@claude-mem/source', script, ...args],
    { stdio: 'inherit', cwd: ROOT, env: { ...process.env, CLAUDE_MEM_SHARED: dataSetFolder() } },
  );
  return status ?? 1;
}

// npm run eval [-- NAME [options]]: how well the parts that judge do. Names: search (the default), observer, context.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const EVALS = {
  search: join(ROOT, 'libs', 'search', 'evals', 'main.ts'),
  observer: join(ROOT, 'tools', 'evals', 'observer.ts'),
  context: join(ROOT, 'tools', 'evals', 'context.ts'),
};

const given = process.argv.slice(2);
const [name, args] =
  given[0] === undefined || given[0].startsWith('-') ? ['search', given] : [given[0], given.slice(1)];

if (!Object.hasOwn(EVALS, name)) {
  console.error(`usage: npm run eval [-- ${Object.keys(EVALS).join('|')} [options]]`);
  process.exitCode = 2;
} else {
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@claude-mem/source', EVALS[name], ...args],
    { stdio: 'inherit', cwd: ROOT },
  );
  process.exitCode = status ?? 1;
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'evals');
const [name, ...args] = process.argv.slice(2);
const known = readdirSync(folder)
  .map((file) => /^([a-z]+)\.ts$/.exec(file)?.[1])
  .filter((found) => found !== undefined);

if (name === undefined || !existsSync(join(folder, `${name}.ts`))) {
  console.error(`usage: npm run eval -- <${known.join('|')}> [options]`);
  process.exitCode = 2;
} else {
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@claude-mem/source', join(folder, `${name}.ts`), ...args],
    { stdio: 'inherit', cwd: join(import.meta.dirname, '..') },
  );
  process.exitCode = status ?? 1;
}

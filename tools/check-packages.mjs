// npm run lint:packages: checks every package as npm publishes it. publint checks the manifest and the files, attw the
// types of each export. Needs the builds of "npm run build". Arguments: folders of packages, instead of all packages.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root, run, step } from './workspace.mjs';

const attw = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('@arethetypeswrong/cli/package.json'))),
  'dist/index.js',
);
const tarballs = mkdtempSync(path.join(tmpdir(), 'claude-mem-pack-'));
const problems = [];

try {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : publishableFolders();
  await step(`Checking ${folders.length} packages (publint, attw)`, async () => {
    const packages = await pack(folders);
    const next = packages.values();
    const checkInTurn = async () => {
      for (const one of next) await check(one);
    };
    await Promise.all(Array.from({ length: availableParallelism() }, checkInTurn));
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(tarballs, { recursive: true });
}

function publishableFolders() {
  return ['libs', 'apps']
    .flatMap((parent) => readdirSync(path.join(root, parent)).map((name) => path.join(root, parent, name)))
    .filter((folder) => !JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).private);
}

/** @returns name and tarball of each package */
async function pack(folders) {
  const packed = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    tarballs,
    ...folders.map((folder) => path.resolve(folder)),
  ]);
  return JSON.parse(packed).map(({ name, filename }) => ({ name, tarball: path.join(tarballs, filename) }));
}

async function check({ name, tarball }) {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer } });
  for (const message of messages) {
    problems.push(`${name}: publint ${message.type}: ${formatMessage(message, pkg, { color: false })}`);
  }
  // a package of programs has no types to check
  if (!JSON.stringify(pkg.exports ?? {}).includes('.d.ts')) return;
  await run(process.execPath, [
    attw,
    tarball,
    '--profile',
    'esm-only',
    '--format',
    'ascii',
    '--no-emoji',
    '--no-summary',
  ]).catch((error) => problems.push(`${name}: attw\n${error.message.split('\n').slice(1).join('\n')}`));
}

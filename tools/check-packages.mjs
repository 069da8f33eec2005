// npm run lint:packages: checks every package as npm publishes it. publint checks the manifest and the files, attw the
// types of each export. Needs the builds of "npm run build". Arguments: folders of packages, instead of all packages.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root, run, step } from './workspace.mjs';

/** Ignores problems of CommonJS users, because the packages contain only ES modules. */
const IGNORED_RESOLUTIONS = ['node10', 'node16-cjs'];

const tarballs = mkdtempSync(path.join(tmpdir(), 'claude-mem-pack-'));
const problems = [];

try {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : publishableFolders();
  await step(`Checking ${folders.length} packages (publint, attw)`, async () => {
    for (const one of await pack(folders)) await check(one);
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
  // A package of programs has no types to check.
  if (!JSON.stringify(pkg.exports ?? {}).includes('.d.ts')) return;
  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  for (const problem of analysis.problems ?? []) {
    if (IGNORED_RESOLUTIONS.includes(problem.resolutionKind)) continue;
    problems.push(`${name}: attw ${problemKindInfo[problem.kind].title}: ${JSON.stringify(problem)}`);
  }
}

import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Copies a built app, with the package.json from which its programs read their version. */
export function copyProgram({ from, to, version }: { from: string; to: string; version: string }): void {
  const dist = join(from, 'dist');
  if (!existsSync(dist))
    throw new Error(`${dist} is missing: npx nx build @claude-mem/claude-code-plugin builds it.`);
  mkdirSync(to, { recursive: true });
  cpSync(dist, join(to, 'dist'), { recursive: true, filter: isOfThisBuild });
  const manifest = { name: `@claude-mem/${basename(from)}`, version, private: true, type: 'module' };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Files of earlier builds stay in the folder for some time. A second file with the suffix `.old` marks each of them.
 */
const isOfThisBuild = (file: string) => !file.endsWith('.old') && !existsSync(`${file}.old`);

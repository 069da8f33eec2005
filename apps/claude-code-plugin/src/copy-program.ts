import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** An app as it was built, with the manifest that its programs read their version from. */
export function copyProgram({ from, to, version }: { from: string; to: string; version: string }): void {
  const dist = join(from, 'dist');
  if (!existsSync(dist))
    throw new Error(`${dist} is missing: npx nx build @claude-mem/claude-code-plugin builds it.`);
  mkdirSync(to, { recursive: true });
  cpSync(dist, join(to, 'dist'), { recursive: true, filter: isOfThisBuild });
  const manifest = { name: `@claude-mem/${basename(from)}`, version, private: true, type: 'module' };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A part of an earlier build stays beside the new ones for a while, with a mark. */
const isOfThisBuild = (file: string) => !file.endsWith('.old') && !existsSync(`${file}.old`);

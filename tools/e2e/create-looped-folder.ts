import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Creates a folder with 20 subfolders, each of which holds files and a link to the folder. */
export function createLoopedFolder(folder: string, { filesPerPart }: { filesPerPart: number }): void {
  for (let part = 0; part < 20; part += 1) {
    const inner = path.join(folder, `part-${part}`);
    mkdirSync(inner, { recursive: true });
    for (let file = 0; file < filesPerPart; file += 1) writeFileSync(path.join(inner, `f${file}`), '');
    symlinkSync(folder, path.join(inner, 'loop'));
  }
}

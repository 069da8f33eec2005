import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes the settings file of a home, replacing an earlier file. Call it before the worker starts. */
export function writeSettings(home: { dataDir: string }, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(home.dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(home.dataDir, 'settings.json'), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

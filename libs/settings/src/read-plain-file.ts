import { readFileSync, statSync } from 'node:fs';
import { SettingsError } from './settings-error.js';

/** The bytes of a file, through a link too. A pipe or a device in its place would be waited for without end. */
export function readPlainFile(path: string): Uint8Array {
  if (statSync(path).isFile()) return readFileSync(path);
  throw new SettingsError('settings/unreadable-file', `${path} is not a file. Move it to another folder.`);
}

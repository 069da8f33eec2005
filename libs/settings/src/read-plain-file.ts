import { readFileSync, statSync } from 'node:fs';
import { SettingsError } from './settings-error.js';

/** Reads a regular file and follows links. Rejects other files, because reading a pipe or a device may never end. */
export function readPlainFile(path: string): Uint8Array {
  if (statSync(path).isFile()) return readFileSync(path);
  throw new SettingsError('settings/unreadable-file', `${path} is not a file. Move it to another folder.`);
}

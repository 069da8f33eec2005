import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One recorded hook payload. */
export interface HostSample {
  /** Path of its file below the folder of samples. */
  name: string;
  event: string;
  payload: unknown;
}

/**
 * Reads the samples of a folder and its sub-folders, from files named `<Event>.<case>.json`. Files without a known
 * event are skipped. Empty when the folder does not exist.
 */
export function readHostSamples(folder: string, events: readonly string[]): HostSample[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, event: name.replace(/^.*[\\/]/, '').split('.')[0] ?? '' }))
    .filter(({ event }) => events.includes(event))
    .map((sample) => ({
      ...sample,
      payload: JSON.parse(readFileSync(join(folder, sample.name), 'utf8')) as unknown,
    }));
}

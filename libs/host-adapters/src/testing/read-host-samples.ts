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
 * The samples of a folder and the folders in it, files named `<Event>.<case>.json`; what does not begin with a known event is
 * left out. Empty when there is no such folder.
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

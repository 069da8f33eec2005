import { existsSync } from 'node:fs';
import { ClaudeMemError } from '@claude-mem/core';
import { maskSettings, SETTINGS, settingsByKey } from '@claude-mem/settings';
import type { RouteReply } from '@claude-mem/worker-protocol';
import { closestWord } from '../closest-word.js';
import { ok, warn, type Check, type Examination } from './check.js';

type SettingItem = Pick<RouteReply<'getSettings'>['items'][number], 'key' | 'value' | 'source'>;

const SOURCES = { env: 'from its environment', file: 'from settings.json', default: 'the default' };

/** The settings of this environment, and those that the running worker uses, which can be others. */
export const settingsCheck: Check = {
  title: 'settings',
  async run(examination) {
    const { paths, isFileUsable, unknownKeys } = examination.loaded;
    const problems = [...examination.loaded.problems, ...unknownKeys.map(formatUnknown)];
    const used = await readWorkerSettings(examination);
    const file = existsSync(paths.settingsFile) ? paths.settingsFile : 'no settings.json';
    const detail = [
      ...problems,
      ...(isFileUsable ? [file] : []),
      ...used.filter(isChanged).map(formatUsed),
    ].join('\n');
    if (problems.length > 0) return warn(detail, `Correct the environment or ${paths.settingsFile}.`);
    const unused = findUnused(examination, used);
    if (unused.length === 0) return ok(detail);
    return warn(
      `${detail}\nThe worker does not use ${unused.join(', ')} of this environment.`,
      'Set it with "claude-mem settings set", or run "claude-mem restart" with this environment.',
    );
  },
};

/** The worker that answers has this folder; its path can be written in several ways. */
const DATA_DIR = 'CLAUDE_MEM_DATA_DIR';

const isChanged = ({ source, key }: SettingItem) => source !== 'default' && key !== DATA_DIR;

const formatUsed = ({ key, value, source }: SettingItem) =>
  `The worker uses ${key} = ${textOf(value) || '–'} (${SOURCES[source]})`;

const KEYS = SETTINGS.map(({ key }) => key);

function formatUnknown(key: string): string {
  const closest = closestWord(key, KEYS);
  return `${key} in settings.json is not a setting.${closest === null ? '' : ` Did you mean ${closest}?`}`;
}

/** Settings of this environment of which the worker has another value. */
function findUnused({ loaded }: Examination, used: readonly SettingItem[]): readonly string[] {
  const own = maskSettings(settingsByKey(loaded.settings));
  const keys = SETTINGS.map(({ key }) => key).filter(
    (key) => loaded.sources[key] === 'env' && key !== DATA_DIR,
  );
  return keys.filter((key) => {
    const item = used.find((one) => one.key === key);
    return item !== undefined && textOf(item.value) !== textOf(own[key]);
  });
}

/** Empty when the worker is away or of a version that does not answer. */
async function readWorkerSettings({ health, worker }: Examination): Promise<readonly SettingItem[]> {
  if (health === null) return [];
  try {
    return (await worker.client.getSettings()).items;
  } catch (error) {
    if (ClaudeMemError.isInstance(error)) return [];
    throw error;
  }
}

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));

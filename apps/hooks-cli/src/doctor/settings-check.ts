import { existsSync } from 'node:fs';
import { ClaudeMemError } from '@claude-mem/core';
import { maskSettings, SETTINGS, settingsByKey } from '@claude-mem/settings';
import type { RouteReply } from '@claude-mem/worker-protocol';
import { closestWord } from '../closest-word.js';
import { ok, warn, type Check, type CheckContext } from './check.js';
import { formatSettingValue } from '../format-setting-value.js';

type SettingItem = Pick<RouteReply<'getSettings'>['items'][number], 'key' | 'value' | 'source'>;

const SOURCES = { env: 'from its environment', file: 'from settings.json', default: 'the default' };

/** Checks the settings of this environment, and compares them with the settings of the running worker. */
export const settingsCheck: Check = {
  title: 'settings',
  async run(context) {
    const { paths, isFileUsable, unknownKeys } = context.loaded;
    const problems = [...context.loaded.problems, ...unknownKeys.map(formatUnknown)];
    const used = await readWorkerSettings(context);
    const file = existsSync(paths.settingsFile) ? paths.settingsFile : 'no settings.json';
    const detail = [
      ...problems,
      ...(isFileUsable ? [file] : []),
      ...used.filter(isChanged).map(formatUsed),
    ].join('\n');
    if (problems.length > 0) return warn(detail, `Correct the environment or ${paths.settingsFile}.`);
    const unused = findUnused(context, used);
    if (unused.length === 0) return ok(detail);
    return warn(
      `${detail}\nThe worker does not use ${unused.join(', ')} of this environment.`,
      'Set it with "claude-mem settings set", or run "claude-mem restart" with this environment.',
    );
  },
};

/** Not compared: the worker that answers uses this folder, but its path can be spelled differently. */
const DATA_DIR = 'CLAUDE_MEM_DATA_DIR';

const isChanged = ({ source, key }: SettingItem) => source !== 'default' && key !== DATA_DIR;

const formatUsed = ({ key, value, source }: SettingItem) =>
  `The worker uses ${key} = ${formatSettingValue(value) || '–'} (${SOURCES[source]})`;

const KEYS = SETTINGS.map(({ key }) => key);

function formatUnknown(key: string): string {
  const closest = closestWord(key, KEYS);
  return `${key} in settings.json is not a setting.${closest === null ? '' : ` Did you mean ${closest}?`}`;
}

/** Returns the settings of this environment that have another value in the worker. */
function findUnused({ loaded }: CheckContext, used: readonly SettingItem[]): readonly string[] {
  const own = maskSettings(settingsByKey(loaded.settings));
  const keys = SETTINGS.map(({ key }) => key).filter(
    (key) => loaded.sources[key] === 'env' && key !== DATA_DIR,
  );
  return keys.filter((key) => {
    const item = used.find((one) => one.key === key);
    return item !== undefined && formatSettingValue(item.value) !== formatSettingValue(own[key]);
  });
}

/** Returns an empty list when the worker is not running or its version does not have the route. */
async function readWorkerSettings({ health, worker }: CheckContext): Promise<readonly SettingItem[]> {
  if (health === null) return [];
  try {
    return (await worker.client.getSettings()).items;
  } catch (error) {
    if (ClaudeMemError.isInstance(error)) return [];
    throw error;
  }
}

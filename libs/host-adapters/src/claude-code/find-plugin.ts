import { join } from 'node:path';
import { isRecord } from '@claude-mem/core';
import { readConfig } from '../config/config-file.js';
import { placeOf } from '../config/place-of.js';
import type { HostPlace } from '../host-adapter.js';
import { parseJson } from '../parse-json.js';

const PLUGIN_ID = /^mem@claude-mem$/;
/** The plugin of another program that is also named claude-mem. */
const OTHER_PLUGIN_ID = /^claude-mem@/;
const settingsIn = placeOf('.claude', '');

/** The id of our plugin when the settings of the user or of a project enable it. */
export const findClaudeCodePlugin = (place: HostPlace): string | null => findEnabled(place, PLUGIN_ID);

/** The id of the other program's plugin, which records the same sessions and injects its own context. */
export const findOtherClaudeCodePlugin = (place: HostPlace): string | null =>
  findEnabled(place, OTHER_PLUGIN_ID);

function findEnabled(place: HostPlace, id: RegExp): string | null {
  const { projectDir, ...person } = place;
  const folders = [settingsIn(person), ...(projectDir ? [settingsIn(place)] : [])];
  const files = folders.flatMap((folder) => [
    join(folder, 'settings.json'),
    join(folder, 'settings.local.json'),
  ]);
  return files.map((file) => pluginIn(file, id)).find((found) => found !== null) ?? null;
}

function pluginIn(file: string, id: RegExp): string | null {
  const text = readConfig(file) ?? '';
  // The host does not enable plugins of a file that is not strict JSON.
  const settings = parseJson(text.replace(/^\ufeff/, ''))?.value;
  const plugins = isRecord(settings) ? settings['enabledPlugins'] : null;
  if (!isRecord(plugins)) return null;
  return Object.keys(plugins).find((name) => id.test(name) && plugins[name] === true) ?? null;
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROVIDER_ROWS } from '@claude-mem/core';
import { SETTINGS, type SettingDefinition } from '@claude-mem/settings';
import { workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';

/** Text of all shipped sources except the table of settings. */
const sources = ['libs', 'apps']
  .flatMap((parent) =>
    readdirSync(path.join(workspacePaths.root, parent))
      .filter((name) => name !== 'testing')
      .map((name) => path.join(workspacePaths.root, parent, name, 'src')),
  )
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|[\\/]testing[\\/]/.test(file))
  .filter((file) => !/[\\/]settings[\\/]src[\\/]definitions[\\/]/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** Settings of models are read by name through the table of observers. */
const isRead = ({ key, property }: SettingDefinition) =>
  Object.values(PROVIDER_ROWS).some(({ modelSetting }) => modelSetting === key) ||
  new RegExp(`\\b${property}\\b`).test(sources);

describe('the list of settings', () => {
  it('contains only settings that a source reads, and marks only unread ones as not available yet', () => {
    const settings: readonly SettingDefinition[] = SETTINGS;
    const keysOf = (matches: (setting: SettingDefinition) => boolean) =>
      settings.filter(matches).map(({ key }) => key);
    expect(keysOf((setting) => !setting.notYet && !isRead(setting))).toEqual([]);
    expect(keysOf((setting) => setting.notYet === true && isRead(setting))).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS, type SettingDefinition } from '@claude-mem/settings';
import { workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';

/** All shipped sources except the table of settings. */
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

const isRead = ({ property }: SettingDefinition) => new RegExp(`\\b${property}\\b`).test(sources);

describe('the list of settings', () => {
  it('holds nothing that nobody reads, and hides nothing that somebody does', () => {
    const settings: readonly SettingDefinition[] = SETTINGS;
    const named = (wanted: (setting: SettingDefinition) => boolean) =>
      settings.filter(wanted).map(({ key }) => key);
    expect(named((setting) => !setting.notYet && !isRead(setting))).toEqual([]);
    expect(named((setting) => setting.notYet === true && isRead(setting))).toEqual([]);
  });
});

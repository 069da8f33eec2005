import {
  changeSettings,
  checkChanges,
  findSetting,
  maskSettings,
  SETTINGS,
  settingsByKey,
  type SettingKey,
} from '@claude-mem/settings';
import { CliError } from '../cli-error.js';
import { closestWord } from '../closest-word.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { makeFolder } from '../make-folder.js';

export const settingsCommand: Command = {
  name: 'settings',
  summary: 'Show settings and where each comes from, or change them',
  operands: '[get [KEY] | set KEY VALUE | unset KEY]',
  operandCount: { min: 0, max: 3 },
  options: { json: { type: 'boolean', summary: 'As JSON' } },
  details: ['The environment wins over settings.json in the data directory, that over the default.'],
  async run(context) {
    const [action = 'get', key, value] = context.operands;
    if (action === 'get' && value === undefined) return get(context, key);
    if (action === 'set' && key !== undefined && value !== undefined) return change(context, key, value);
    if (action === 'unset' && key !== undefined && value === undefined) return change(context, key, null);
    throw new CliError('cli/usage', 'settings takes: get [KEY], set KEY VALUE, or unset KEY.');
  },
};

function get({ loaded, options, terminal }: CommandContext, key: string | undefined): ExitCode {
  if (key !== undefined) requireKnown(key);
  const values = maskSettings(settingsByKey(loaded.settings));
  const shown = SETTINGS.filter((setting) => key === undefined || setting.key === key);
  if (options['json']) {
    const items = shown.map(({ key }) => [key, { value: values[key], source: loaded.sources[key] }]);
    terminal.print(JSON.stringify(Object.fromEntries(items), null, 2));
  } else if (key !== undefined) terminal.print(textOf(values[key]));
  else {
    const width = Math.max(...shown.map((setting) => setting.key.length));
    for (const { key } of shown)
      terminal.print(`${key.padEnd(width)}  ${textOf(values[key]) || '–'}  (${loaded.sources[key]})`);
  }
  for (const problem of loaded.problems) terminal.complain(`Note: ${problem}`);
  return EXIT.done;
}

async function change(context: CommandContext, key: string, value: string | null): Promise<ExitCode> {
  const { loaded, terminal } = context;
  requireKnown(key);
  const { changes, refused } = checkChanges({ [key]: value }, { overHttp: false });
  const [problem] = refused;
  if (problem) throw new CliError('cli/usage', `${problem.key} ${problem.reason}.`);
  makeFolder(loaded.paths.dataDir);
  await changeSettings(loaded.paths.settingsFile, changes);
  terminal.print(`${key} is ${value === null ? 'unset' : 'set'} in ${loaded.paths.settingsFile}.`);
  if (loaded.sources[key as SettingKey] === 'env')
    terminal.complain('Note: the environment sets it too, and wins.');
  if (findSetting(key)?.needsRestart)
    terminal.print('It counts from the next start of the worker: claude-mem restart');
  return EXIT.done;
}

function requireKnown(key: string): void {
  if (findSetting(key)) return;
  const closest = closestWord(
    key,
    SETTINGS.map((setting) => setting.key),
  );
  throw new CliError('cli/usage', `${key} is not a setting.${closest ? ` Did you mean ${closest}?` : ''}`);
}

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));

import type { Readable } from 'node:stream';
import { ClaudeMemError } from '@claude-mem/core';
import {
  changeSettings,
  checkChanges,
  findSetting,
  loadSettings,
  maskSettings,
  observerChain,
  SETTING_GROUPS,
  SETTINGS,
  settingsByKey,
  type SettingDefinition,
  type SettingKey,
} from '@claude-mem/settings';
import { CliError } from '../cli-error.js';
import { closestWord } from '../closest-word.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { createFolder } from '../create-folder.js';
import { findObserverProblems } from '../find-observer-problems.js';
import { formatSettingValue } from '../format-setting-value.js';

export const settingsCommand: Command = {
  name: 'settings',
  summary: 'Show settings with their sources, or change them',
  operands: '[get [KEY] | set KEY [VALUE] | unset KEY]',
  operandCount: { min: 0, max: 3 },
  options: {
    stdin: { type: 'boolean', summary: 'set: read the value from stdin' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  details: [
    'On a terminal, get KEY shows the description and the allowed values. In a pipe, it prints only the value.',
    'The environment overrides settings.json in the data directory, which overrides the defaults.',
    'A worker uses its environment only when claude-mem start or restart started it; claude-mem doctor shows its values.',
    'Without VALUE, set asks for a key and does not show it, so the key is not in the history of the shell.',
  ],
  async run(context) {
    const [action = 'get', key, value] = context.operands;
    if (action === 'get' && value === undefined) return get(context, key);
    if (action === 'set' && key !== undefined) return set(context, key, value);
    if (action === 'unset' && key !== undefined && value === undefined) return change(context, key, null);
    throw new CliError('cli/usage', 'settings takes: get [KEY], set KEY [VALUE], or unset KEY.');
  },
};

function get(context: CommandContext, key: string | undefined): ExitCode {
  const { loaded, options, terminal } = context;
  const setting = key === undefined ? null : requireKnown(key);
  if (options['json']) terminal.print(formatJson(context, setting === null ? listed(SETTINGS) : [setting]));
  else if (setting === null)
    terminal.print(SETTING_GROUPS.map((group) => renderGroup(context, group)).join('\n\n'));
  else if (terminal.isOutputTerminal) terminal.print(renderSetting(context, setting));
  // only the value, for scripts
  else terminal.print(valueOf(context, setting));
  if (setting?.notYet) terminal.warn('Note: this version does not use this setting yet.');
  for (const problem of loaded.problems) terminal.warn(`Note: ${problem}`);
  return EXIT.done;
}

const listed = (settings: readonly SettingDefinition[]) => settings.filter(({ notYet }) => !notYet);
const sourceOf = ({ loaded }: CommandContext, { key }: SettingDefinition) =>
  loaded.sources[key as SettingKey];
const valueOf = ({ loaded }: CommandContext, { key }: SettingDefinition) =>
  formatSettingValue(maskSettings(settingsByKey(loaded.settings))[key]);

function formatJson(context: CommandContext, settings: readonly SettingDefinition[]): string {
  const values = maskSettings(settingsByKey(context.loaded.settings));
  const items = settings.map((setting) => {
    const { key, description } = setting;
    return [key, { value: values[key], source: sourceOf(context, setting), description }];
  });
  return JSON.stringify(Object.fromEntries(items), null, 2);
}

const WIDTH = Math.max(...SETTINGS.map(({ key }) => key.length));

function renderGroup(
  context: CommandContext,
  { name, settings }: { name: string; settings: readonly SettingDefinition[] },
): string {
  const lines = listed(settings).flatMap((setting) => [
    `${setting.key.padEnd(WIDTH)}  ${valueOf(context, setting) || '–'}  (${sourceOf(context, setting)})`,
    `    ${setting.description}`,
  ]);
  return [name, ...lines].join('\n');
}

const SOURCES = { env: 'from the environment', file: 'from settings.json', default: 'the default' };

function renderSetting(context: CommandContext, setting: SettingDefinition): string {
  const { choices, default: usual, needsRestart } = setting;
  const source = sourceOf(context, setting);
  return [
    `${setting.key} = ${valueOf(context, setting) || '–'}  (${SOURCES[source]})`,
    setting.description,
    ...(choices ? [`${setting.type === 'list' ? 'Any of' : 'One of'}: ${choices.join(', ')}`] : []),
    ...(source === 'default' ? [] : [`Default: ${formatSettingValue(usual) || '–'}`]),
    ...(needsRestart ? ['A change takes effect after a restart of the worker.'] : []),
  ].join('\n');
}

async function set(context: CommandContext, key: string, given: string | undefined): Promise<ExitCode> {
  const { options, stdin, terminal } = context;
  const { isSecret } = requireKnown(key);
  if (given !== undefined) {
    if (options['stdin']) throw new CliError('cli/usage', 'Use either the value or --stdin.');
    const code = await change(context, key, given);
    if (isSecret)
      terminal.warn(
        `Note: the value may be in the history of your shell. Next time, run: claude-mem settings set ${key}`,
      );
    return code;
  }
  if (!options['stdin'] && !(isSecret && terminal.isInteractive))
    throw new CliError('cli/usage', `settings set needs a value for ${key}, or --stdin.`);
  const value = options['stdin'] ? await readValue(stdin) : await terminal.askSecret(`${key}: `);
  if (value === '') throw new CliError('cli/failed', 'No value was entered. Nothing was changed.');
  return change(context, key, value);
}

/** In UTF-16 code units. */
const MAX_VALUE_LENGTH = 65_536;

/** Reads stdin to its end and removes the line end that `echo` adds. */
async function readValue(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.length > MAX_VALUE_LENGTH) throw new CliError('cli/usage', 'The value on stdin is too long.');
  return text.trim();
}

async function change(context: CommandContext, key: string, value: string | null): Promise<ExitCode> {
  const { loaded, terminal } = context;
  requireKnown(key);
  const { changes, refused } = checkChanges({ [key]: value }, { overHttp: false });
  const [problem] = refused;
  if (problem) throw new CliError('cli/usage', `${problem.key} ${problem.reason}.`);
  if (!(key in changes))
    throw new CliError(
      'cli/usage',
      'The value is a masked key, as claude-mem shows it. Enter the complete key. Nothing was changed.',
    );
  createFolder(loaded.paths.dataDir);
  await changeSettings(loaded.paths.settingsFile, changes);
  await reloadWorkerSettings(context);
  terminal.print(`${key} is ${value === null ? 'unset' : 'set'} in ${loaded.paths.settingsFile}.`);
  if (loaded.sources[key as SettingKey] === 'env')
    terminal.warn('Note: the environment also sets it, and overrides the file for commands in this shell.');
  if (findSetting(key)?.needsRestart)
    terminal.print('The change takes effect after a restart of the worker: claude-mem restart');
  if (affectsContextFiles(key))
    terminal.print(
      value === 'true'
        ? 'Files are updated after the next turn of a session. In this project now: claude-mem context --files --again'
        : 'Files are updated in a few seconds, or after the next turn of a session. To check: claude-mem context --files',
    );
  if (affectsObserver(key)) reportObserver(context);
  return EXIT.done;
}

/** The worker reloads the file for this request, so that the next command finds the change. Otherwise it reloads within a second. */
async function reloadWorkerSettings({ worker }: CommandContext): Promise<void> {
  try {
    await worker.client.getSettings();
  } catch (error) {
    // a worker that is not running reads the file when it starts
    if (!ClaudeMemError.isInstance(error)) throw error;
  }
}

const affectsContextFiles = (key: string) => /^CLAUDE_MEM_(?:CLAUDE_MD|CURSOR_RULES)/.test(key);

const affectsObserver = (key: string) =>
  key.startsWith('CLAUDE_MEM_PROVIDER') || /_(?:API_KEY|BASE_URL|MODEL)$|^CLAUDE_CODE_PATH$/.test(key);

/** Prints the observer that is used from now on, and the commands for its missing settings and programs. */
function reportObserver(context: CommandContext): void {
  const { env, home, cwd, terminal } = context;
  const loaded = loadSettings({ env, home, cwd });
  const [before] = observerChain(context.loaded.settings);
  const [now] = observerChain(loaded.settings);
  const missing = findObserverProblems({ ...context, loaded });
  if (now !== before && !missing.some(({ observer }) => observer === now))
    terminal.print(
      now === 'local'
        ? 'The observer is now local: nothing leaves this machine.'
        : `The observer is now ${now}: events of your sessions are sent to it, without secrets and private text.`,
    );
  for (const { observer, reason, fix } of missing)
    terminal.warn(`Note: the observer ${observer} ${reason}, so it is not used yet. Next: ${fix}`);
}

function requireKnown(key: string): SettingDefinition {
  const found = findSetting(key);
  if (found) return found;
  const closest = closestWord(
    key.toUpperCase(),
    SETTINGS.map((setting) => setting.key),
  );
  throw new CliError(
    'cli/usage',
    `${key} is not a setting.${closest ? ` Did you mean ${closest}?` : ' To list all settings: claude-mem settings'}`,
  );
}

import { isRecord } from '@claude-mem/core';
import type { SettingDefinition } from './definitions/setting-definition.js';
import { dataPaths, expandPath, type DataPaths } from './data-paths.js';
import { findDataDir } from './find-data-dir.js';
import { describeForeignSettings, findForeignKey } from './find-foreign-key.js';
import { readPlainFile } from './read-plain-file.js';
import { readSetting } from './read-setting.js';
import {
  findSetting,
  SETTINGS,
  type SettingKey,
  type SettingValue,
  type Settings,
} from './setting-definitions.js';
import { SettingsError } from './settings-error.js';

export interface LoadSettingsOptions {
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  home: string;
  /** As in `findDataDir`. */
  cwd?: string | undefined;
  /**
   * If false, settings for programs, addresses and keys are read only from the file, because a cloned repository can set the
   * environment of hooks, of the MCP server and of most commands. @default true
   */
  isEnvironmentTrusted?: boolean;
  /** Reads a file as bytes or text. Throws with code ENOENT when it does not exist. @default reads from the disk */
  readFile?: (path: string) => Uint8Array | string;
}

export interface LoadedSettings {
  settings: Settings;
  /** Source of each value. */
  sources: Readonly<Record<SettingKey, 'env' | 'file' | 'default'>>;
  /** Problems and their effects, one sentence each, without values of secrets. */
  problems: readonly string[];
  paths: DataPaths;
  /** False when the file exists and cannot be read or parsed. */
  isFileUsable: boolean;
  /** Keys in the file that are not settings. */
  unknownKeys: readonly string[];
}

/**
 * Loads the settings: the environment overrides the file, and the file overrides the defaults. An invalid file or value is reported
 * in `problems`, and the next source is used. Writes no file and creates no folder.
 * @throws SettingsError when the data folder cannot be used, as in `findDataDir`
 */
export function loadSettings(options: LoadSettingsOptions): LoadedSettings {
  const { env, home, isEnvironmentTrusted = true, readFile = readPlainFile } = options;
  const problems: string[] = [];
  const paths = dataPaths(findDataDir(options));
  const found = readSettingsFile(paths.settingsFile, readFile, (reason) => {
    problems.push(`${reason} ${UNUSABLE_FILE_EFFECT}`);
    return null;
  });
  const file = found ?? new Map<string, unknown>();
  const settings: Record<string, SettingValue> = {};
  const sources: Record<string, 'env' | 'file' | 'default'> = {};
  for (const definition of SETTINGS as readonly SettingDefinition[]) {
    const usedEnv = isEnvironmentTrusted || isSafeFromEnvironment(definition) ? env : {};
    const { value, source } = findValue(definition, { env: usedEnv, file, problems });
    settings[definition.property] = expand(definition, value, home);
    sources[definition.key] = source;
  }
  sources['CLAUDE_MEM_DATA_DIR'] = env['CLAUDE_MEM_DATA_DIR']?.trim() ? 'env' : 'default';
  checkDataDirInFile(file, paths, home, problems);
  settings['dataDir'] = paths.dataDir;
  return {
    settings: settings as unknown as Settings,
    sources: sources as LoadedSettings['sources'],
    problems,
    paths,
    isFileUsable: found !== null,
    unknownKeys: [...file.keys()].filter((key) => key !== 'env' && findSetting(key) === undefined),
  };
}

/** The worker stores no events without the file, because the file lists the excluded projects. */
const UNUSABLE_FILE_EFFECT =
  'Until the file can be used, a running worker keeps its last valid settings. A worker that starts stores no events: they wait in the spool.';

const EXCLUDED = 'CLAUDE_MEM_EXCLUDED_PROJECTS' satisfies SettingKey;

/** Whether the setting selects no program, no address and no key. */
const isSafeFromEnvironment = ({ overHttp, isSecret }: SettingDefinition) => overHttp && !isSecret;

function checkDataDirInFile(
  file: ReadonlyMap<string, unknown>,
  paths: DataPaths,
  home: string,
  problems: string[],
): void {
  const fileValue = file.get('CLAUDE_MEM_DATA_DIR');
  if (typeof fileValue !== 'string' || fileValue === '' || expandPath(fileValue, home) === paths.dataDir)
    return;
  problems.push(
    `CLAUDE_MEM_DATA_DIR in ${paths.settingsFile} has no effect: hooks find the folder without reading a file. Set it in the environment.`,
  );
}

function findValue(
  definition: SettingDefinition,
  {
    env,
    file,
    problems,
  }: { env: LoadSettingsOptions['env']; file: ReadonlyMap<string, unknown>; problems: string[] },
): { value: SettingValue; source: 'env' | 'file' | 'default' } {
  const { key } = definition;
  const inherited = (definition.inheritsFrom ?? [])
    .flatMap((name) => [env[name], env[name.toLowerCase()]])
    .find((value) => value !== undefined && value !== '');
  const candidates = [
    { source: 'env', raw: env[key] },
    ...(key === 'CLAUDE_MEM_DATA_DIR' ? [] : [{ source: 'file', raw: file.get(key) } as const]),
    ...(inherited === undefined ? [] : [{ source: 'env', raw: inherited } as const]),
  ] as const;
  for (const { source, raw } of candidates) {
    const reading = readSetting(definition, raw);
    if (reading.kind === 'value') return { value: reading.value, source };
    if (reading.kind === 'wrong') {
      const location = source === 'env' ? 'the environment' : 'settings.json';
      problems.push(`${key} in ${location} is not ${reading.expected}; it is ignored.`);
    }
  }
  return { value: definition.default, source: 'default' };
}

function expand(definition: SettingDefinition, value: SettingValue, home: string): SettingValue {
  if (definition.type === 'path' && typeof value === 'string' && value !== '') return expandPath(value, home);
  if (definition.type === 'globs' && Array.isArray(value)) {
    return (value as readonly string[]).map((pattern) =>
      pattern.replace(/^(?:~|\$HOME|\$\{HOME\})(?=$|[/\\])/, () => home),
    );
  }
  return value;
}

/**
 * Returns the values of the file by key. A nested `env` object is read too, with lower priority.
 * @param refuse called with the reason when the file cannot be used; its result is returned
 */
function readSettingsFile(
  path: string,
  readFile: (path: string) => Uint8Array | string,
  refuse: (reason: string) => null,
): ReadonlyMap<string, unknown> | null {
  const text = readText(path, readFile, refuse);
  if (text === null) return null;
  if (text.trim() === '') return new Map();
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`${path} is not valid JSON.`);
  }
  if (!isRecord(content)) return refuse(`${path} does not contain a JSON object.`);
  const nested = content['env'];
  const values = new Map([...(isRecord(nested) ? Object.entries(nested) : []), ...Object.entries(content)]);
  const foreignKey = findForeignKey(values);
  if (foreignKey !== null) return refuse(describeForeignSettings(path, foreignKey));
  // without the list, events of an excluded project would be stored
  const list = findSetting(EXCLUDED);
  const excluded = list && readSetting(list, values.get(EXCLUDED));
  return excluded?.kind === 'wrong' ? refuse(`${EXCLUDED} in ${path} is not ${excluded.expected}.`) : values;
}

function readText(
  path: string,
  readFile: (path: string) => Uint8Array | string,
  refuse: (reason: string) => null,
): string | null {
  try {
    const content = readFile(path);
    return typeof content === 'string' ? content.replace(/^\ufeff/, '') : decodeText(content);
  } catch (error) {
    if (SettingsError.isInstance(error)) return refuse(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    return refuse(`${path} cannot be read (${code}).`);
  }
}

/** Decodes UTF-8 or UTF-16 with or without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

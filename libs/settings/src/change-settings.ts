import { chmodSync } from 'node:fs';
import { isWebAddress } from '@claude-mem/core';
import {
  appendMember,
  elementsOf,
  endOf,
  findMember,
  locateJson,
  removeElement,
  replaceNode,
} from '@claude-mem/core/json-text';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { SettingDefinition } from './definitions/setting-definition.js';
import { describeForeignSettings, findForeignKey } from './find-foreign-key.js';
import { decodeText } from './load-settings.js';
import { isMasked } from './mask-settings.js';
import { readPlainFile } from './read-plain-file.js';
import { readSetting, type SettingReading } from './read-setting.js';
import { findSetting } from './setting-definitions.js';
import { SettingsError } from './settings-error.js';
import { withFileLock } from './with-file-lock.js';

/** A refused change with its reason. */
export interface RefusedChange {
  key: string;
  kind: 'unknown' | 'wrong-value' | 'local-only' | 'no-effect';
  /** Continues a sentence that begins with the key. */
  reason: string;
}

export interface CheckedChanges {
  changes: Readonly<Record<string, unknown>>;
  refused: readonly RefusedChange[];
}

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Separates requested changes into allowed and refused ones. Refuses unknown keys, invalid values and values without effect. Over
 * HTTP, also refuses keys that select a program, a folder or an address. Skips masked secrets, so that they do not change.
 */
export function checkChanges(
  requested: Readonly<Record<string, unknown>>,
  { overHttp }: { overHttp: boolean },
): CheckedChanges {
  const changes: [string, unknown][] = [];
  const refused: RefusedChange[] = [];
  for (const [key, value] of Object.entries(requested)) {
    const definition = findSetting(key);
    if (!definition) {
      refused.push({ key, kind: 'unknown', reason: 'is not a setting' });
      continue;
    }
    if (definition.isSecret && isMasked(value)) continue;
    const reading = readSetting(definition, value);
    const expected = findExpectation(definition, reading);
    if (overHttp && !definition.overHttp)
      refused.push({ key, kind: 'local-only', reason: 'can only be set on this machine' });
    else if (reading.kind !== 'absent' && definition.notYet)
      refused.push({ key, kind: 'no-effect', reason: 'is not used by this version yet, so nothing was set' });
    else if (reading.kind !== 'absent' && key === 'CLAUDE_MEM_DATA_DIR')
      refused.push({
        key,
        kind: 'no-effect',
        reason: 'works only in the environment, where hooks find it without reading a file',
      });
    else if (expected !== null) refused.push({ key, kind: 'wrong-value', reason: `must be ${expected}` });
    else changes.push([key, value ?? null]);
  }
  return { changes: Object.fromEntries(changes), refused };
}

/** Returns a description of valid values, or null when the value is valid. Empty and default values are always valid. */
function findExpectation(definition: SettingDefinition, reading: SettingReading): string | null {
  if (reading.kind === 'wrong') return reading.expected;
  const { key, type, isSecret, default: defaultValue } = definition;
  if (reading.kind === 'absent' || reading.value === '' || reading.value === defaultValue) return null;
  const text = String(reading.value);
  if (isSecret && !/^[!-~]+$/.test(text)) return 'one word of ASCII characters without spaces';
  if (type === 'address' && !isWebAddress(text))
    return 'a web address such as http://127.0.0.1:11434/v1, without a user name, a password or a query';
  if (key === 'CLAUDE_MEM_CHROMA_URL' && new URL(text).pathname !== '/')
    return 'managed, or an address without a path, such as http://127.0.0.1:8000';
  return null;
}

/**
 * Writes keys to the settings file and keeps every other byte. Null and undefined remove a key. Holds a lock, so concurrent changes
 * are all kept. Replaces the file atomically, creates it with mode 0600, and follows symbolic links.
 * @throws SettingsError `settings/broken-file` when the file is not a JSON object, `settings/foreign-file`,
 * `settings/invalid-value`, `settings/unreadable-file`, `settings/unwritable-file`
 */
export async function changeSettings(
  file: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const entries = Object.entries(changes).filter(([key, value]) => isAllowedChange(key, value));
  await withFileLock(file, () => writeChanges(file, entries));
}

function writeChanges(file: string, entries: readonly (readonly [string, unknown])[]): void {
  const before = readText(file);
  if (before !== null) requireOwnFile(before, file);
  let text = before ?? '{\n}\n';
  if (text.replace(/^\ufeff/, '').trim() === '') text = '{\n}\n';
  for (const [key, value] of entries) text = withMember(text, file, key, value ?? null);
  if (text === before || (before === null && entries.length === 0)) return;
  const hasSecret = entries.some(([key]) => findSetting(key)?.isSecret === true);
  try {
    // the written file keeps the mode of the existing file
    if (before !== null && hasSecret) chmodSync(file, 0o600);
    writeFileAtomically(file, text);
  } catch (error) {
    throw new SettingsError(
      'settings/unwritable-file',
      `${file} cannot be written: check free space and permissions.`,
      { cause: error },
    );
  }
}

/** A file of the other claude-mem is not read, so a change would have no effect. */
function requireOwnFile(text: string, file: string): void {
  const located = locateJson(text);
  if ('errorAt' in located) return;
  const objects = [located.root, findMember(located.root, 'env')];
  const foreignKey = findForeignKey({
    has: (key) => objects.some((node) => node && findMember(node, key)),
  });
  if (foreignKey !== null)
    throw new SettingsError('settings/foreign-file', describeForeignSettings(file, foreignKey));
}

function isAllowedChange(key: string, value: unknown): boolean {
  if (PROTOTYPE_KEYS.has(key)) return false;
  const definition = findSetting(key);
  if (!definition) return true;
  if (definition.isSecret && isMasked(value)) return false;
  const reading = readSetting(definition, value);
  if (reading.kind !== 'wrong') return true;
  throw new SettingsError('settings/invalid-value', `${key} must be ${reading.expected}.`, { data: { key } });
}

function withMember(text: string, file: string, key: string, value: unknown): string {
  const located = locateJson(text);
  const isStrict = 'root' in located && located.comment === null && located.trailingComma === null;
  if (!isStrict || located.root.type !== 'object') {
    throw new SettingsError(
      'settings/broken-file',
      `${file} is not a valid JSON object and was not changed. Repair the file, then try again.`,
    );
  }
  const { root } = located;
  const found = findMember(root, key);
  if (value === null) return found?.parent ? removeElement(text, found.parent) : text;
  if (found) return replaceNode(text, found, JSON.stringify(value));
  if (elementsOf(root).length > 0) return appendMember(text, root, key, value);
  const body = `\n  ${JSON.stringify(key)}: ${JSON.stringify(value)}\n`;
  return text.slice(0, root.offset + 1) + body + text.slice(endOf(root) - 1);
}

function readText(file: string): string | null {
  try {
    return decodeKeepingBom(readPlainFile(file));
  } catch (error) {
    if (SettingsError.isInstance(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new SettingsError('settings/unreadable-file', `${file} cannot be read: check its permissions.`, {
      cause: error,
    });
  }
}

/** Converts UTF-16 to UTF-8 and keeps the byte order mark of UTF-8. */
function decodeKeepingBom(bytes: Uint8Array): string {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return (hasBom ? '\ufeff' : '') + decodeText(bytes);
}

import { isAbsolute } from 'node:path';
import { isRecord } from '@claude-mem/core';

/** The name of our MCP server in every host, from which the names of its tools are derived. */
export const MCP_SERVER_NAME = 'claude-mem';

/** The only environment variable of the entry. */
export const DATA_DIR_VARIABLE = 'CLAUDE_MEM_DATA_DIR';

export const envOf = (dataDir: string | undefined): Readonly<Record<string, string>> =>
  dataDir === undefined ? {} : { [DATA_DIR_VARIABLE]: dataDir };

/**
 * Returns the programs that an entry starts, or null when the entry is not ours, because only our own entry may be
 * replaced or removed.
 */
export function ownPrograms(words: readonly unknown[]): readonly string[] | null {
  const paths = words.filter((word): word is string => typeof word === 'string' && isAbsolute(word));
  return paths.some((path) => /[\\/]mcp-server\.(?:js|sh)$/.test(path)) ? paths : null;
}

/**
 * Returns the fields that the user added or changed in our entry, such as `disabled` or `env.LANG`.
 * @param written the entry as we would write it; its fields that name programs may differ
 */
export function extrasOf(
  entry: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
  { programFields = ['command', 'args'], envField = 'env' } = {},
): readonly string[] {
  return Object.entries(entry).flatMap(([field, value]) => {
    if (programFields.includes(field)) return [];
    if (field === envField && isRecord(value))
      return Object.keys(value)
        .filter((name) => name !== DATA_DIR_VARIABLE)
        .map((name) => `${field}.${name}`);
    return jsonOf(value) === jsonOf(written[field]) ? [] : [field];
  });
}

/** The TOML parser returns integers as bigint. */
const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));

export const FOREIGN_SERVER = `has an MCP server "${MCP_SERVER_NAME}" that we did not write`;

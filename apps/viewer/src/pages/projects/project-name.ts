import { NEUTRAL_PROJECT, type Project } from '@claude-mem/core';

type Named = Pick<Project, 'key' | 'name'>;

/** True when folders above the project's were added to its name because another had the same. */
export function isNameMadeUnique({ key, name }: Named): boolean {
  return key !== NEUTRAL_PROJECT.key && name !== folderOf(key) && name.startsWith(`${folderOf(key)} (`);
}

/** Where the project is: its path, or words for what belongs to none. */
export function describeKey({ key }: Named): string {
  return key === NEUTRAL_PROJECT.key ? 'Work in the home folder, a temporary folder, or none' : key;
}

const folderOf = (key: string) =>
  key
    .split(/[\\/]+/)
    .filter((part) => part !== '')
    .at(-1) ?? key;

import { NEUTRAL_PROJECT, type Project } from '@claude-mem/core';

type Named = Pick<Project, 'key' | 'name'>;

/** Returns true when the name contains parent folders because another project has the same folder name. */
export function isNameMadeUnique({ key, name }: Named): boolean {
  return key !== NEUTRAL_PROJECT.key && name !== folderOf(key) && name.startsWith(`${folderOf(key)} (`);
}

/** Returns the path of a project, or a description of the neutral project. */
export function describeKey({ key }: Named): string {
  return key === NEUTRAL_PROJECT.key ? 'Work in the home folder, a temporary folder, or none' : key;
}

const folderOf = (key: string) =>
  key
    .split(/[\\/]+/)
    .filter((part) => part !== '')
    .at(-1) ?? key;

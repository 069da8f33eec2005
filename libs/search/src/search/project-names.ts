import type { Project } from '@claude-mem/core';
import type { StoreReader } from '@claude-mem/storage';
import type { SearchTables } from '@claude-mem/storage';

/** The projects of a memory, read again after a commit. */
export interface ProjectNames {
  /** Projects with this key or name. */
  find(keyOrName: string): Promise<readonly Project[]>;
  /** Display names by id. */
  names(): Promise<ReadonlyMap<number, string>>;
}

export function createProjectNames(store: StoreReader, tables: SearchTables): ProjectNames {
  let version: number | null = null;
  let projects: readonly Project[] = [];
  let names: ReadonlyMap<number, string> = new Map();

  const refresh = async (): Promise<void> => {
    const current = tables.dataVersion();
    if (current === version) return;
    projects = await store.listProjects();
    names = new Map(projects.map(({ id, name }) => [id, name]));
    version = current;
  };

  return {
    find: async (keyOrName) => {
      await refresh();
      const key = keyOrName.length > 1 ? keyOrName.replace(/[/\\]$/, '') : keyOrName;
      return projects.filter((project) => project.key === key || project.name === keyOrName);
    },
    names: async () => {
      await refresh();
      return names;
    },
  };
}

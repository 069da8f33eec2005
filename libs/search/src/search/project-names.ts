import type { Project } from '@claude-mem/core';
import type { StoreReader } from '@claude-mem/storage';
import type { SearchTables } from '@claude-mem/storage/search-tables';

/** The projects of a memory, read again when something was committed. */
export interface ProjectNames {
  /** Ids of the projects with this key or name. */
  find(keyOrName: string): Promise<readonly Project[]>;
  /** To show; empty for a project that is gone. */
  nameOf(id: number): Promise<string>;
}

export function createProjectNames(store: StoreReader, tables: SearchTables): ProjectNames {
  let version: number | null = null;
  let projects: readonly Project[] = [];
  let names = new Map<number, string>();

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
    nameOf: async (id) => {
      await refresh();
      return names.get(id) ?? '';
    },
  };
}

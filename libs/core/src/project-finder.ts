import type { ProjectRef } from './session.js';

/** The project of a folder. */
export interface FoundProject {
  /** Null when no folder is known. */
  project: ProjectRef | null;
  /** The folder of the checkout. Null when no folder is known. */
  root: string | null;
  /** True when the settings exclude the folder: nothing from it may be stored. */
  isExcluded: boolean;
}

/** Finds the project of an event from the folder that the host opened (`projectDir`) and the current folder (`cwd`). */
export type ProjectFinder = (event: { projectDir: string | null; cwd: string | null }) => FoundProject;

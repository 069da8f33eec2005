/** What a turn did with a file. `moved-from`: the path of a file before it was moved. */
export const FILE_ROLES = ['read', 'modified', 'created', 'deleted', 'moved-from'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** A file of an observation at the time when the observation was stored. */
export interface FileState {
  /** As in the file lists of the observation. */
  path: string;
  role: FileRole;
  /** The git object id of the content. Null when the file had no content or could not be read. */
  blob: string | null;
}

/** The branch and commit of a checkout. A checkout before its first commit has only a branch, a detached one only a commit. */
export interface CheckoutHead {
  branch: string | null;
  commit: string | null;
}

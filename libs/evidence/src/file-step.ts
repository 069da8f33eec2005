/** One change that a tool use made to the files of the project. Paths are formatted as in records. */
export type FileStep =
  | {
      kind: 'edit';
      path: string;
      removed: readonly string[];
      added: readonly string[];
      /** True when the file did not exist before; null when this is not known. */
      isNew: boolean | null;
      /** Declarations around the edited lines, if the tool use contains them. */
      declarations: readonly string[];
    }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; from: string; path: string }
  /** Reverts the uncommitted changes of one path, or of all files when the path is null. */
  | { kind: 'restore'; path: string | null }
  | { kind: 'stash' }
  | { kind: 'unstash' };

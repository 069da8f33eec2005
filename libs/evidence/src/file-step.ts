/** One thing that a tool use did to the files of the project. Paths are as in records. */
export type FileStep =
  | {
      kind: 'edit';
      path: string;
      removed: readonly string[];
      added: readonly string[];
      /** True: it did not exist before; null: not known. */
      isNew: boolean | null;
      /** Declarations around the edited lines, where the tool use shows them. */
      around: readonly string[];
    }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; from: string; path: string }
  /** Takes back what was not committed; null: everywhere. */
  | { kind: 'restore'; path: string | null }
  | { kind: 'stash' }
  | { kind: 'unstash' };

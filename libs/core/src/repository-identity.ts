/** What identifies a git repository wherever it is stored. */
export interface RepositoryIdentity {
  /** Hash of the remote's address without credentials; null without a remote. */
  remoteHash: string | null;
  /** Id of the first commit. */
  rootCommit: string;
}

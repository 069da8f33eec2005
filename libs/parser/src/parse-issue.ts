/**
 * What was not as it should be in a reply. None of them makes a reply unusable by itself; `no-records` says that there
 * was text and nothing in it could be understood.
 */
export type ParseIssueCode =
  | 'cut-off'
  | 'missing-end'
  | 'prose-block'
  | 'empty-block'
  | 'template-echo'
  | 'missing-type'
  | 'unknown-type'
  | 'too-long'
  | 'too-many'
  | 'no-records';

export interface ParseIssue {
  code: ParseIssueCode;
  message: string;
  /** Where in the reply, in UTF-16 units. */
  offset: number;
}

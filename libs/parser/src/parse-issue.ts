/**
 * A problem in a reply. No problem alone makes a reply unusable. `no-records` means that the reply contains text but no
 * record.
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
  /** Position in the reply, in UTF-16 code units. */
  offset: number;
}

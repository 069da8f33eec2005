/** What a turn came to, in the observer's words. A field it did not give is null. */
export interface SummaryDraft {
  request: string | null;
  investigated: string | null;
  learned: string | null;
  completed: string | null;
  nextSteps: string | null;
  notes: string | null;
  filesRead: readonly string[];
  filesEdited: readonly string[];
}

export interface Summary extends SummaryDraft {
  id: number;
  uid: string;
  sessionId: number;
  projectId: number;
  promptNumber: number;
  createdAtEpoch: number;
}

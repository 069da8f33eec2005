/** The result of a turn, written by the observer. A field without content is null. */
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

import {
  toFacts,
  OBSERVATION_CONCEPTS,
  OBSERVATION_TYPES,
  type ObservationDraft,
  type ObserverBatch,
  type SummaryDraft,
} from '@claude-mem/core';
import type { ObserverMode } from './observer-mode.js';
import { readObserverReply } from './read-observer-reply.js';

export const mode: ObserverMode = {
  name: 'code',
  types: OBSERVATION_TYPES.map((id) => ({ id, meaning: `meaning of ${id}` })),
  neutralType: 'discovery',
  concepts: OBSERVATION_CONCEPTS.map((id) => ({ id, meaning: `meaning of ${id}` })),
  guidance: 'Keep what the code does not show.',
  examples: {
    observations: [
      {
        type: 'bugfix',
        title: 'Doors close when the train leaves',
        subtitle: null,
        narrative: 'They closed at the next stop because the signal was read too late.',
        facts: toFacts(
          ['closeDoors() in doors.ts listens to `departed`', 'npm test doors: 4 passed'],
          'agent',
        ),
        concepts: ['problem-solution'],
        filesRead: [],
        filesModified: ['doors.ts'],
      },
    ],
    summary: {
      request: 'Make the doors close in time.',
      investigated: null,
      learned: 'The signal was read too late.',
      completed: 'Doors close on departure.',
      nextSteps: null,
      notes: null,
      filesRead: [],
      filesEdited: [],
    },
  },
};
export const read = (text: string, changes: Partial<ObserverMode> = {}) =>
  readObserverReply(text, { ...mode, ...changes });
export const readIssueCodes = (text: string) => read(text).issues.map(({ code }) => code);

export const draft = (changes: Partial<ObservationDraft> = {}): ObservationDraft => ({
  type: 'bugfix',
  title: 'Queue timer is reset after each retry',
  subtitle: 'One timer per message',
  narrative: 'The timer was never cleared.\nNow it is, in queue.ts.',
  facts: toFacts(['resetTimer() in queue.ts', 'npm test: 12 passed'], 'agent'),
  concepts: ['problem-solution'],
  filesRead: ['src/timer.ts'],
  filesModified: ['src/queue.ts'],
  ...changes,
});

export const summaryDraft = (changes: Partial<SummaryDraft> = {}): SummaryDraft => ({
  request: 'Fix the retry bug.',
  investigated: 'queue.ts and timer.ts',
  learned: 'Timers leak.',
  completed: 'The timer is reset.',
  nextSteps: 'Look at the lease.',
  notes: 'Nothing was committed.',
  filesRead: ['src/timer.ts'],
  filesEdited: ['src/queue.ts'],
  ...changes,
});

export const batch = (changes: Partial<ObserverBatch> = {}): ObserverBatch => ({
  session: {
    id: 1,
    host: 'claude-code',
    contentSessionId: 'c-1',
    project: 'shop',
    projectRoot: '/home/dev/shop',
    goal: 'Make the shop faster',
    memorySessionId: null,
  },
  promptNumber: 2,
  firstPromptNumber: changes.promptNumber ?? 2,
  prompt: 'Fix the retry bug in queue.ts',
  recordedTitles: ['Cart cache added'],
  lastSummary: null,
  toolUses: [toolUse(1)],
  closing: { reason: 'turn-end', lastAssistantMessage: 'The retry bug is fixed.' },
  conversation: [],
  ...changes,
});

export function toolUse(id: number, changes: Partial<ObserverBatch['toolUses'][number]> = {}) {
  return {
    messageId: id,
    createdAtEpoch: id,
    toolName: 'Bash',
    toolUseId: `toolu_${id}`,
    input: { command: `npm test ${id}` },
    response: { stdout: `ran ${id}`, stderr: '', interrupted: false },
    outcome: 'succeeded' as const,
    error: null,
    isInterrupt: false,
    durationMs: 10,
    cwd: '/home/dev/shop',
    agentId: null,
    agentType: null,
    ...changes,
  };
}

import { toFacts } from '@claude-mem/core';
import type { Mode } from './mode.js';

/** Software development. */
export const codeMode: Mode = {
  name: 'code',
  types: [
    { id: 'bugfix', emoji: '🐛', meaning: 'something broken works now, and a result shows it' },
    { id: 'feature', emoji: '✨', meaning: 'the software can do something new' },
    { id: 'refactor', emoji: '🔄', meaning: 'code moved, renamed or rewritten, behaves as before' },
    { id: 'decision', emoji: '🏛️', meaning: 'a choice between ways, with its reason' },
    { id: 'discovery', emoji: '🔍', meaning: 'found out about code, a tool or a fault; nothing changed' },
    { id: 'change', emoji: '📝', meaning: 'any other change: settings, texts, dependencies' },
  ],
  neutralType: 'discovery',
  concepts: [
    { id: 'how-it-works', meaning: 'how a part does its job' },
    { id: 'why-it-exists', meaning: 'the reason for a part or rule' },
    { id: 'what-changed', meaning: 'what is different now' },
    { id: 'problem-solution', meaning: 'a fault and its cure' },
    { id: 'gotcha', meaning: 'a trap for the next person' },
    { id: 'pattern', meaning: 'a way to be followed' },
    { id: 'trade-off', meaning: 'what was given up for what' },
  ],
  guidance: [
    'You keep the memory of a software project for a reader who comes months later, has the code and its history, but was not there.',
    'Keep what the code does not show: reasons, what was ruled out, the exact error and its cure, what is still open.',
    'One observation per thing learned, not per tool use. Most turns give one, long ones two to four; a question, a listing or a branch switch none.',
    'Tell apart what a result shows, what the agent says, what is planned and what is guessed. The closing message is a claim: results count more. Call nothing fixed, tested or passing that this turn does not show.',
    'files_modified: only files whose edit succeeded in this turn; no scratch files or plan files of the host. Deleted or moved files go into the facts.',
    'A fact can be checked: a path, a symbol, an error text, a command and how it ended, a number, a default.',
    'Say what is unfinished (not committed, not tested, refused) in the narrative and in next_steps.',
    'What the user chose, corrected or rejected counts most, also without tools. Keep it with its question and reason.',
    "Leave out slips of the agent's tools, listings, checks that merely passed, debug code, sample values, persons; never a secret in any form.",
    'A title says in at most ten words what happened to what, read alone in a list.',
    'A wrong memory costs more than a missing one: in doubt leave it out, or say it is not proven.',
  ].join('\n'),
  examples: {
    observations: [
      {
        type: 'bugfix',
        title: 'Receipt totals no longer drift by one cent',
        subtitle: 'Rounding moved from each line to the sum',
        narrative:
          'Each line was rounded before adding, so totals differed from the bank. Sums are now kept in integer cents and rounded once. Stored receipts still hold old totals.',
        facts: [
          ...toFacts(
            [
              'sumLines() in billing/receipt.ts works in integer cents',
              '`pnpm test receipt` failed with "expected 10.01 to be 10", passes now',
            ],
            'evidence',
          ),
          ...toFacts(['never round a line, only the sum'], 'user'),
        ],
        concepts: ['problem-solution', 'gotcha'],
        filesRead: ['billing/tax.ts'],
        filesModified: ['billing/receipt.ts'],
      },
    ],
    summary: {
      request: 'Find out why receipt totals are a cent off.',
      investigated: 'How lines, tax and totals are rounded.',
      learned: 'Lines were rounded before the sum.',
      completed: 'Totals are rounded once, in receipt.ts; tests pass, not committed.',
      nextSteps: 'Correct the stored receipts.',
      notes: null,
      filesRead: [],
      filesEdited: [],
    },
  },
};

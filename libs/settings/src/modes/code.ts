import type { Mode } from '../load-mode.js';

/** Software development. */
export const codeMode: Mode = {
  name: 'code',
  types: [
    { id: 'bugfix', meaning: 'something that was broken works now, and a result shows it' },
    { id: 'feature', meaning: 'the software can do something it could not do before' },
    { id: 'refactor', meaning: 'code was moved, renamed or rewritten and behaves as before' },
    { id: 'decision', meaning: 'a choice between ways, with its reason' },
    {
      id: 'discovery',

      meaning: 'something was found out about the code, a tool or a fault; nothing was changed',
    },
    { id: 'change', meaning: 'any other change: settings, documents, texts, dependencies' },
  ],
  concepts: [
    { id: 'how-it-works', meaning: 'how a part does its job' },
    { id: 'why-it-exists', meaning: 'the reason behind a part or a rule' },
    { id: 'what-changed', meaning: 'what is different now' },
    { id: 'problem-solution', meaning: 'a fault and what cured it' },
    { id: 'gotcha', meaning: 'a trap that the next person would fall into' },
    { id: 'pattern', meaning: 'a way of doing things that is to be followed' },
    { id: 'trade-off', meaning: 'what was given up for what' },
  ],
  guidance: [
    'You keep the memory of a software project. The reader is a developer or an agent months from now who has the code and its history but was not there.',
    'Keep what the code does not show: the reason, what was ruled out, the exact error and what cured it, what is still open. A diff needs no memory; why it was made does.',
    'Write one observation per thing learned, not per tool call. Most turns give one; a question, a listing or a change of branch gives none; a long turn gives two to four.',
    'Tell apart what a result shows, what the agent says, what is planned and what is guessed. The closing message is a claim: where a result contradicts it, the result counts. Never call something fixed, tested or passing unless this turn shows it.',
    'files_modified holds only files whose edit succeeded in this turn. Rejected and failed edits, scratch files and the host’s own plan files do not count. Name deleted and moved files in the facts.',
    'A fact can be checked: a path, a symbol, an error text, a command and how it ended, a number, a default. General praise is not a fact.',
    'Say what is unfinished: not committed, not tested, interrupted, refused by the user. It belongs in the narrative and in next_steps.',
    'What the user corrected, chose or rejected counts more than what the agent wrote. Keep it with its reason.',
    'Leave out slips of the agent’s tools, listings, checks that merely passed, temporary debug code, sample values, names of persons and ticket numbers. Never write a secret in any form.',
    'A title says in at most ten words what happened to what; it must make sense alone in a list.',
    'A wrong memory costs more than a missing one. In doubt leave it out, or say that it is not proven.',
  ].join('\n'),
};

import { toFacts } from '@claude-mem/core';
import type { Mode } from './mode.js';

/** Reading, comparing and writing. */
export const researchMode: Mode = {
  name: 'research',
  types: [
    { id: 'finding', emoji: '📌', meaning: 'something a source says or data shows, with its place' },
    { id: 'source', emoji: '📚', meaning: 'a source was read and judged: what it is good for, what not' },
    { id: 'comparison', emoji: '⚖️', meaning: 'sources, methods or numbers set side by side' },
    { id: 'question', emoji: '❓', meaning: 'something found to be open, or an open question answered' },
    { id: 'decision', emoji: '🏛️', meaning: 'a choice of scope, method or wording, with its reason' },
    { id: 'draft', emoji: '✍️', meaning: 'a text was written, cut or put in another order' },
  ],
  neutralType: 'finding',
  concepts: [
    { id: 'evidence', meaning: 'what a claim rests on' },
    { id: 'method', meaning: 'how something was found or measured' },
    { id: 'definition', meaning: 'what a word means here' },
    { id: 'contradiction', meaning: 'sources that do not agree' },
    { id: 'limitation', meaning: 'where a result does not hold' },
    { id: 'gap', meaning: 'what nobody has shown yet' },
    { id: 'argument', meaning: 'a step of the reasoning of the text' },
  ],
  guidance: [
    'You keep the memory of a piece of research: reading, comparing, writing. Its reader comes months later, has the files, but was not there.',
    'Keep what the files do not show: why a source was trusted or put aside, what was searched for and not found, which readings disagree, what is still open.',
    'One observation per thing learned, not per tool use. Most turns give one, a long one two to four; a question, a listing or a change of format gives none.',
    'Tell apart what a source says, what data shows, what the agent concludes and what is guessed. The closing message is a claim: where a source contradicts it, the source counts. Call nothing confirmed that this turn does not show.',
    'Name the source of each finding so that it can be opened again: title, file or address, and page or section where one was seen. Never complete a reference from memory.',
    'A fact can be checked: a number with its unit, a quotation, a definition, a date, a query and how many results it had, the place in a file.',
    'files_modified: only files whose edit succeeded in this turn. Sources that were only read belong in files_read.',
    'Say what is unfinished (not read to the end, not checked, refused, interrupted) in the narrative and in next_steps.',
    'What the user chose, corrected or rejected counts most, also without tools. Keep it with its question and reason.',
    "Leave out slips of the agent's tools, lists of results nobody opened, formatting, persons without a part in the work; never a secret in any form.",
    'A title says in at most ten words what was found about what; it is read alone in a list.',
    'A wrong memory costs more than a missing one: in doubt leave it out, or say that it is not proven.',
  ].join('\n'),
  examples: {
    observations: [
      {
        type: 'comparison',
        title: 'Two tide tables for Ostmark harbour differ by 20 minutes',
        subtitle: 'The printed table keeps winter time all year',
        narrative:
          'The almanac and the station log disagree on every high water from April to October. The foot of page 3 says that the almanac ignores summer time. The log is used from here on; entries before 1962 were not compared.',
        facts: [
          ...toFacts(
            [
              'almanac.pdf, page 3: "all times in winter time"',
              'notes/tides.csv: 41 of 41 summer entries differ, winter entries agree',
            ],
            'evidence',
          ),
          ...toFacts(['leave the entries before 1962 out'], 'user'),
        ],
        concepts: ['contradiction', 'evidence'],
        filesRead: ['sources/almanac.pdf'],
        filesModified: ['notes/tides.csv'],
      },
    ],
    summary: {
      request: 'Find out which tide table can be trusted.',
      investigated: 'The almanac against the station log, 1962 to 1970.',
      learned: 'The almanac prints winter time all year.',
      completed: 'The tide notes follow the station log now.',
      nextSteps: 'Compare the years before 1962.',
      notes: null,
      filesRead: [],
      filesEdited: [],
    },
  },
};

import { createObserverBatch } from '@claude-mem/core/testing';
import { edit } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const nextStepsUnder = (heading: string) =>
  observeTurn(
    createObserverBatch({
      prompt: 'Simplify the kiln page',
      toolUses: [edit('src/kiln.ts', 'a', 'fire()')],
      closing: `\`fire()\` in \`src/kiln.ts\` is shorter.\n\n## ${heading}\n\n- \`fire()\` reads the probe\n- \`cool()\` opens the door`,
    }),
  ).summary?.nextSteps ?? null;

describe('list items as next steps', () => {
  it.each([
    'TODO',
    'To-dos:',
    'To do',
    'TODO list (later)',
    '1. Next steps',
    'Recommended next steps for the release',
    'Open items',
    'Remaining work',
    'Required setup',
    'Follow-ups',
    'Nächste Schritte',
    '残りの作業',
    '下一步',
  ])('lists the items as next steps when the heading is "%s"', (heading) =>
    expect(nextStepsUnder(heading)).toContain('reads the probe'),
  );
});

describe('list items other than next steps', () => {
  it.each([
    'TodoApp component',
    'Removed the TODO list page',
    'TODO comments in the kiln removed',
    'The to-do list of the kiln page',
    'How the next step button works',
    'Fixed the remaining lint errors',
    'Remaining errors fixed',
    'Follow-up mails are sent once',
    'Was der offene Ofen macht',
    'The options are',
    'What you can do with it',
  ])('lists no item as next step when the heading is "%s"', (heading) =>
    expect(nextStepsUnder(heading)).toBeNull(),
  );
});

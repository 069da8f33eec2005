import { createObserverBatch } from '@claude-mem/core/testing';
import { edit, read, type ToolUseFields } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const REST = [
  'The probe in `src/probe.ts` is read by `fire()` in `src/kiln.ts` once per minute.',
  'It has 3 sensors, and `fire()` ignores two of them.',
].join(' ');

function titlesOf(closing: string, ...toolUses: readonly ToolUseFields[]): string[] {
  const reads = [read('src/kiln.ts', 'fire() KILN_TOKEN'), read('src/probe.ts', 'probe')];
  const batch = createObserverBatch({
    prompt: 'hm, and the kiln?',
    toolUses: [...reads, ...toolUses],
    closing: `${closing}\n\n${REST}`,
  });
  return observeTurn(batch).observations.flatMap(({ title, subtitle }) => [title ?? '', subtitle ?? '']);
}

describe('texts that are unsuitable as titles', () => {
  it.each([
    ['names in brackets only', 'Organized folder structure (`ovens/`, `glazes/`, …)'],
    ['words to the user', 'You currently have two tokens in `src/kiln.ts`.'],
    ['words about the user', 'The `KILN_TOKEN` in `src/kiln.ts` is your PAT.'],
    ['words to the user in French', 'Le fichier `src/kiln.ts` contient votre `KILN_TOKEN`.'],
    ['words of the agent about itself', 'I completely removed `KILN_TOKEN` from `src/kiln.ts`.'],
    ['a question that was asked', 'Asked: does `fire()` read `KILN_TOKEN`.'],
    ['a statement that something was found', 'Found it in `src/kiln.ts` at last: `fire()` is never called.'],
  ])('uses no title from %s', (_, statement) => {
    const words = statement.replace(/`/g, '').split(/[(,:]/)[0]!.slice(0, 22).trim();
    for (const text of [`**${statement}**`, statement, `What it has:\n\n- ${statement}`])
      expect(titlesOf(text).join('\n')).not.toContain(words);
    expect(titlesOf(statement, edit('src/kiln.ts', 'a', 'fire(KILN_TOKEN)')).join('\n')).not.toContain(words);
  });
});

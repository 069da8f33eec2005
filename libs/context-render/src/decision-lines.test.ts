import { expect, it } from 'vitest';
import { material, observation } from './__fixtures__/memory.js';
import { renderSessionContext } from './render-session-context.js';

const NOW = Date.UTC(2026, 10, 28, 12);
const DAY_MS = 86_400_000;
const rule = (id: number, text: string) =>
  observation(id, {
    type: 'decision',
    title: text,
    facts: [
      { text, origin: 'user' },
      { text: 'The parser uses two passes.', origin: 'agent' },
    ],
    createdAtEpoch: NOW - id * DAY_MS,
  });
const newer = Array.from({ length: 9 }, (_, at) =>
  observation(100 + at, { title: `Change ${at}`, createdAtEpoch: NOW - at * 1_000 }),
);
const render = (options: Partial<Parameters<typeof renderSessionContext>[0]>) =>
  renderSessionContext({ project: 'shop', now: NOW, material: material(), ...options });

it('lists rules of the user before newer records, each rule once', () => {
  const decisions = [rule(1, 'Exports are always CSV.'), rule(2, 'Never commit to main.')];
  const { text, shown } = render({
    material: material({ observations: [...newer, ...decisions], decisions }),
  });
  expect(shown.slice(0, 2)).toEqual([1, 2]);
  expect(new Set(shown).size).toBe(shown.length);
  expect(text).toContain('## Decided in earlier conversations');
  expect(text).toContain('- #1, 2026-11-27: "User: Exports are always CSV."');
  expect(text).not.toContain('two passes');
  expect(text.indexOf('Exports are always CSV')).toBeLessThan(text.indexOf('Change 0'));
});

it('does not count a listed decision as skipped when a newer record has the same title', () => {
  const decisions = [rule(1, 'Exports are always CSV.'), rule(2, 'Exports are always CSV.')];
  const { shown, skipped } = render({ material: material({ observations: decisions, decisions }) });
  expect([shown, skipped]).toEqual([[1, 2], []]);
});

it('lists the newest three decisions', () => {
  const decisions = [5, 4, 3, 2, 1].map((id) => rule(id, `Rule ${id} always holds.`));
  expect(render({ material: material({ decisions }) }).shown).toEqual([1, 2, 3]);
});

it('lists no decision that is already pinned, and no pinned decision when pinned records are turned off', () => {
  const pinned = [rule(1, 'Exports are always CSV.')];
  const both = material({ pinned, decisions: pinned });
  expect(render({ material: both }).text).not.toContain('## Decided');
  expect(render({ material: both, parts: ['timeline'] }).text).not.toContain('Exports');
});

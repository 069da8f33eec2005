import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fillMemory } from './__fixtures__/fill-memory.js';
import { findInMemory } from './__fixtures__/find-in-memory.js';
import { openTestMemory } from './__fixtures__/open-test-memory.js';
import { openMemory } from './open-memory.js';

const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');
/** Makes a program of the README importable: outside of the package, its parts have package names. */
const printed = (fixture: string) => {
  const program = readFileSync(path.join(import.meta.dirname, '__fixtures__', fixture), 'utf8')
    .replace("'../index.js'", "'@claude-mem/search'")
    .replace(/'\.\.\/(?:embedders\/)?([a-z-]+)\/index\.js'/g, "'@claude-mem/search/$1'");
  return `\`\`\`ts\n${program}\`\`\``;
};

it('keeps the search example of the README identical to a tested program', async () => {
  expect(readme).toContain(printed('find-in-memory.ts'));
  await using test = await openTestMemory();
  const { id } = await test.remember({ title: 'The webhook is signed' });
  await test.remember({ title: 'The webhook is signed', project: 'blog' });
  expect(await findInMemory(test.dataDir, 'shop', 'signing of webhooks')).toEqual([
    `#${id} The webhook is signed`,
    '(lexical: no vectors are stored yet)',
  ]);
});

it('keeps the indexing example of the README identical to a tested program that enables semantic search', async () => {
  expect(readme).toContain(printed('fill-memory.ts'));
  const dataDir = mkdtempSync(path.join(tmpdir(), 'claude-mem-filled-'));
  const record = {
    uid: 'one',
    project: 'shop',
    session: null,
    promptNumber: 0,
    createdAtEpoch: Date.UTC(2026, 5, 1),
    type: 'decision',
    title: 'Retries are capped',
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
  };
  await fillMemory(dataDir, [record]);
  await fillMemory(dataDir, [record, { ...record, uid: 'two', title: 'The car is blue' }]);
  {
    await using memory = await openMemory({ dataDir });
    const { strategy, items } = await memory.search({ query: 'colour of the vehicle' });
    expect([strategy, items.map(({ item }) => item.uid)]).toEqual(['semantic', ['two', 'one']]);
  }
  rmSync(dataDir, { recursive: true });
});

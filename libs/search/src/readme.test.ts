import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findInMemory } from './__fixtures__/find-in-memory.js';
import { openTestMemory } from './__fixtures__/open-test-memory.js';

it('the example of the README is this program, and works', async () => {
  const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const program = readFileSync(path.join(import.meta.dirname, '__fixtures__', 'find-in-memory.ts'), 'utf8')
    // From outside it has its own name.
    .replace("'../index.js'", "'@claude-mem/search'");
  expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
  await using test = await openTestMemory();
  const { id } = await test.remember({ title: 'The webhook is signed' });
  await test.remember({ title: 'The webhook is signed', project: 'blog' });
  expect(await findInMemory(test.dataDir, 'shop', 'signing of webhooks')).toEqual([
    `#${id} The webhook is signed`,
    '(lexical: no vectors are stored yet)',
  ]);
});

// npm run sample:writing -- [--seed N] [--count N]: prints random comments, sentences of documentation, test titles, and
// texts of the viewer and the CLI, to be read with docs/writing.md. The same seed prints the same texts.
import { parseArgs } from 'node:util';
import { collectTexts } from './collect-texts.mjs';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '60' } },
});
const random = createRandom(Number(values.seed));
const texts = collectTexts();
for (const [kind, heading] of [
  ['comment', 'Comments'],
  ['doc', 'Documentation'],
  ['title', 'Test titles'],
  ['ui', 'Viewer and CLI'],
]) {
  const rest = texts.filter((text) => text.kind === kind);
  console.log(`\n## ${heading} (${values.count} of ${rest.length})\n`);
  for (let index = 0; index < Number(values.count) && rest.length > 0; index += 1) {
    const [{ file, line, text }] = rest.splice(Math.floor(random() * rest.length), 1);
    console.log(`${index + 1}. ${text}  [${file}:${line}]`);
  }
}

/** mulberry32, a small pseudo-random number generator. Returns numbers in [0, 1). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { describe, expect, it } from 'vitest';
import { renderSessionContext } from './render-session-context.js';
import { REALISTIC_MEMORIES } from './__fixtures__/realistic-memories.js';

describe('renderSessionContext', () => {
  it.each(Object.entries(REALISTIC_MEMORIES))('matches the golden file: %s', async (name, options) => {
    const { text } = renderSessionContext(options);
    await expect(`${text}\n`).toMatchFileSnapshot(`./__fixtures__/${name}.golden.txt`);
  });
});

import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { collectEvidence } from './collect-evidence.js';
import { readEvidence } from './read-evidence.js';

const batch = createObserverBatch({
  toolUses: Array.from({ length: 1_500 }, (_, index) => ({
    toolName: 'Write',
    input: { file_path: `/home/dev/shop/src/file-${index}.ts`, content: 'let a = 1;\n'.repeat(400) },
    response: { type: 'create', filePath: `/home/dev/shop/src/file-${index}.ts` },
  })),
});

describe('readEvidence', () => {
  it('returns the same evidence as collectEvidence and yields to the event loop', async () => {
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    expect(await readEvidence(batch, { pause })).toEqual(collectEvidence(batch));
    expect(pauses).toBeGreaterThan(1);
  });

  it('rejects when the signal is aborted', async () => {
    const stop = new AbortController();
    const pause = async () => stop.abort(new Error('enough'));
    await expect(readEvidence(batch, { pause, signal: stop.signal })).rejects.toThrow('enough');
  });
});

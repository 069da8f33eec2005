import { expect, it } from 'vitest';
import { EVIDENCE_PER_CLAIM } from '../../ports/pending-messages.js';
import { NOW, evidence, prompt, toolUse, turnEnd, type SuiteContext } from './suite-context.js';

export function claimRules(context: SuiteContext): void {
  const seedTurn = async (...texts: string[]) => {
    const [first] = await context.seed(
      prompt('a', 1),
      ...texts.map((text, index) => toolUse('a', 2 + index, text)),
    );
    return first?.sessionId ?? 0;
  };

  it('takes the messages in order, marks them and gives all of their content', async () => {
    const sessionId = await seedTurn('one', 'two');
    await context.seed(turnEnd('a', 9));
    const claimed = await context.claimed(sessionId);
    expect(claimed).toMatchObject([
      { kind: 'observation', payload: { response: { stdout: 'one' } }, createdAtEpoch: 2 },
      { kind: 'observation', payload: { response: { stdout: 'two' } }, createdAtEpoch: 3 },
      { kind: 'summarize', payload: { reason: 'turn-end' }, createdAtEpoch: 9 },
    ]);
    for (const message of claimed)
      expect(message).toMatchObject({
        sessionId,
        promptNumber: 1,
        status: 'processing',
        attempts: 0,
        lastError: null,
        claimedAtEpoch: NOW,
      });
    expect(await context.messages.list({ status: 'processing' })).toEqual(claimed);
  });

  it('is empty for a session with nothing to do or no such session', async () => {
    const [first] = await context.seed(prompt('a', 1));
    expect(await context.claim(first?.sessionId ?? 0)).toEqual([]);
    expect(await context.claim(987_654)).toEqual([]);
  });

  it('stops at maxCount', async () => {
    const sessionId = await seedTurn('one', 'two', 'three');
    expect(await context.claim(sessionId, { maxCount: 2 })).toHaveLength(2);
  });

  it('gives evidence no place, before, between and after the messages that have one', async () => {
    const [first] = await context.seed(
      prompt('a', 1),
      evidence('a', 2),
      toolUse('a', 3),
      evidence('a', 4),
      evidence('a', 5),
      toolUse('a', 6),
      evidence('a', 7),
      toolUse('a', 8),
    );
    const sessionId = first?.sessionId ?? 0;
    const claimed = await context.claimed(sessionId, { maxCount: 2 });
    expect(claimed.map(({ createdAtEpoch }) => createdAtEpoch)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(claimed.map(({ isEvidence }) => isEvidence)).toEqual([true, false, true, true, false, true]);
    expect(await context.messages.list({ status: 'pending' })).toMatchObject([{ createdAtEpoch: 8 }]);
  });

  it('bounds evidence by maxBytes and by its number', async () => {
    const many = Array.from({ length: EVIDENCE_PER_CLAIM + 20 }, (_, index) => evidence('a', 2 + index));
    const [first] = await context.seed(prompt('a', 1), ...many);
    const sessionId = first?.sessionId ?? 0;
    const maxBytes = (await context.messages.list({ limit: 3 })).reduce((sum, { bytes }) => sum + bytes, 0);
    const few = await context.claim(sessionId, { maxBytes, maxCount: 1 });
    expect(few).toHaveLength(3);
    await context.messages.release({ ids: few, availableAt: NOW });
    expect(await context.claim(sessionId, { maxCount: 1 })).toHaveLength(EVIDENCE_PER_CLAIM + 1);
  });

  it('stops before maxBytes would be passed', async () => {
    const sessionId = await seedTurn('one', 'two', 'x'.repeat(500));
    const sizes = (await context.messages.list()).map(({ bytes }) => bytes);
    const two = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    const claimed = await context.claimed(sessionId, { maxBytes: two + 1 });
    expect(claimed).toHaveLength(2);
  });

  it('takes messages that fill maxBytes exactly', async () => {
    const sessionId = await seedTurn('one', 'two', 'three');
    const sizes = (await context.messages.list()).map(({ bytes }) => bytes);
    const two = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    expect(await context.claim(sessionId, { maxBytes: two })).toHaveLength(2);
  });

  it('takes one message that is larger than maxBytes by itself', async () => {
    const sessionId = await seedTurn('x'.repeat(5_000), 'two');
    expect(await context.claim(sessionId, { maxBytes: 10 })).toHaveLength(1);
  });

  it('measures bytes of UTF-8', async () => {
    await seedTurn('aaaa', '日本語の');
    const [ascii, wide] = await context.messages.list();
    expect((wide?.bytes ?? 0) - (ascii?.bytes ?? 0)).toBe(8);
  });

  it('takes messages of the oldest turn only', async () => {
    const sessionId = await seedTurn('one');
    await context.seed(prompt('a', 10), toolUse('a', 11));
    const turns = (await context.claimed(sessionId)).map(({ promptNumber }) => promptNumber);
    expect(new Set(turns)).toEqual(new Set([1]));
  });

  it('takes turns without tool uses together with the next turn when maxTurns allows it', async () => {
    const [first] = await context.seed(prompt('a', 1), turnEnd('a', 2), prompt('a', 3), turnEnd('a', 4));
    await context.seed(prompt('a', 5), toolUse('a', 6), turnEnd('a', 7), prompt('a', 8), turnEnd('a', 9));
    const sessionId = first?.sessionId ?? 0;
    const take = async (maxTurns: number) => {
      const claimed = await context.claimed(sessionId, { maxTurns });
      await context.messages.release({ ids: claimed.map(({ id }) => id), availableAt: NOW });
      return claimed.map(({ createdAtEpoch }) => createdAtEpoch);
    };
    expect(await take(1)).toEqual([2]);
    expect(await take(2)).toEqual([2, 4]);
    expect(await take(6)).toEqual([2, 4, 6, 7]);
  });

  it('is empty while another message of the session is claimed, and other sessions go on', async () => {
    const sessionId = await seedTurn('one', 'two');
    const [other] = await context.seed(prompt('b', 20), toolUse('b', 21));
    await context.claim(sessionId, { maxCount: 1 });
    expect(await context.claim(sessionId)).toEqual([]);
    expect(await context.claim(other?.sessionId ?? 0)).toHaveLength(1);
  });

  it('gives a message to one of many that ask at once', async () => {
    const sessionId = await seedTurn('one', 'two', 'three');
    const claims = await Promise.all(Array.from({ length: 10 }, () => context.claim(sessionId)));
    expect(claims.filter(({ length }) => length > 0)).toEqual([expect.any(Array)]);
    expect(claims.flat()).toHaveLength(3);
  });

  it('waits for a first message that is not available yet, and never overtakes it', async () => {
    const sessionId = await seedTurn('one', 'two');
    const ids = await context.claim(sessionId, { maxCount: 1 });
    await context.messages.release({ ids, availableAt: NOW + 500 });
    expect(await context.claim(sessionId, { now: NOW + 499 })).toEqual([]);
    expect(await context.claim(sessionId, { now: NOW + 500 })).toHaveLength(2);
  });

  it('ends the take at a later message that is not available yet', async () => {
    const sessionId = await seedTurn('one', 'two', 'three');
    const [first, second, third] = await context.claim(sessionId);
    const release = (id: number | undefined, availableAt: number) =>
      context.messages.release({ ids: [id ?? 0], availableAt });
    await release(first, NOW);
    await release(second, NOW + 500);
    await release(third, NOW);
    expect(await context.claim(sessionId)).toEqual([first]);
  });

  it('passes over parked messages', async () => {
    const sessionId = await seedTurn('one', 'two', 'three');
    const ids = await context.claim(sessionId, { maxCount: 1 });
    await context.messages.park({ ids, error: 'rejected' });
    const rest = await context.claimed(sessionId);
    expect(rest).toMatchObject([
      { payload: { response: { stdout: 'two' } } },
      { payload: { response: { stdout: 'three' } } },
    ]);
  });

  it('B010: takes what was queued after the turn or the session had ended', async () => {
    const sessionId = await seedTurn('one');
    await context.seed(turnEnd('a', 10));
    await context.confirm(await context.claimed(sessionId));
    await context.seed(toolUse('a', 100_000, 'late'));
    expect(await context.claimed(sessionId)).toMatchObject([{ payload: { response: { stdout: 'late' } } }]);
  });
}

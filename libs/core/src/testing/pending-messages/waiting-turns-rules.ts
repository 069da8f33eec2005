import { expect, it } from 'vitest';
import { NOW, evidence, prompt, sessionEnd, toolUse, turnEnd, type SuiteContext } from './suite-context.js';

export function waitingTurnsRules(context: SuiteContext): void {
  it('is empty at first', async () => {
    expect(await context.messages.waitingTurns()).toEqual([]);
  });

  it('says what waits in the oldest turn', async () => {
    const [{ sessionId } = { sessionId: 0 }] = await context.seed(
      prompt('a', 1),
      toolUse('a', 2),
      toolUse('a', 3),
      prompt('a', 10),
      toolUse('a', 11),
    );
    const listed = (await context.messages.list()).filter(({ promptNumber }) => promptNumber === 1);
    expect(await context.messages.waitingTurns()).toEqual([
      {
        sessionId,
        promptNumber: 1,
        turns: 1,
        isConversation: false,
        isSessionOver: false,
        count: 3,
        bytes: listed.reduce((sum, { bytes }) => sum + bytes, 0),
        isOver: true,
        hasLaterPrompt: true,
        firstAtEpoch: 2,
        newestAtEpoch: 10,
        availableAtEpoch: expect.any(Number),
      },
    ]);
  });

  it('knows a turn that goes on from one that is over', async () => {
    await context.seed(prompt('a', 1), toolUse('a', 2));
    expect(await context.messages.waitingTurns()).toMatchObject([
      { count: 1, isOver: false, hasLaterPrompt: false, newestAtEpoch: 2 },
    ]);
    await context.seed(turnEnd('a', 3));
    expect(await context.messages.waitingTurns()).toMatchObject([
      { count: 2, isOver: true, hasLaterPrompt: false, newestAtEpoch: 3 },
    ]);
  });

  it('names one turn per session, the longest waiting session first', async () => {
    const events = await context.seed(
      prompt('b', 1),
      toolUse('b', 2),
      prompt('a', 3),
      toolUse('a', 4),
      toolUse('b', 5),
    );
    const turns = await context.messages.waitingTurns();
    expect(turns.map(({ sessionId }) => sessionId)).toEqual([events[0]?.sessionId, events[2]?.sessionId]);
  });

  it('leaves a session out while one of its messages is claimed', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    await context.claim(first?.sessionId ?? 0, { maxCount: 1 });
    expect(await context.messages.waitingTurns()).toEqual([]);
  });

  it('goes on to the next turn once the first is confirmed', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), prompt('a', 3), toolUse('a', 4));
    await context.confirm(await context.claimed(first?.sessionId ?? 0));
    expect(await context.messages.waitingTurns()).toMatchObject([
      { promptNumber: 2, count: 1, isOver: false, hasLaterPrompt: false },
    ]);
  });

  it('counts a tool use that came after the end of its turn', async () => {
    await context.seed(prompt('a', 1), turnEnd('a', 2), toolUse('a', 3));
    expect(await context.messages.waitingTurns()).toMatchObject([
      { count: 2, isOver: true, newestAtEpoch: 3 },
    ]);
  });

  it('counts no evidence, but its bytes and its time', async () => {
    await context.seed(prompt('a', 1), evidence('a', 2), evidence('a', 3));
    const bytes = (await context.messages.list()).reduce((sum, message) => sum + message.bytes, 0);
    expect(await context.messages.waitingTurns()).toMatchObject([{ count: 0, bytes, newestAtEpoch: 3 }]);
    await context.seed(toolUse('a', 4), evidence('a', 5));
    expect(await context.messages.waitingTurns()).toMatchObject([{ count: 1, newestAtEpoch: 5 }]);
  });

  it('says when the first message may be claimed again', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    const ids = await context.claim(first?.sessionId ?? 0, { maxCount: 1 });
    await context.messages.release({ ids, availableAt: NOW + 500 });
    expect(await context.messages.waitingTurns()).toMatchObject([{ count: 2, availableAtEpoch: NOW + 500 }]);
  });

  it('takes parked messages as not there', async () => {
    const [first] = await context.seed(
      prompt('a', 1),
      toolUse('a', 2),
      turnEnd('a', 3),
      prompt('a', 4),
      toolUse('a', 5),
    );
    const park = async (maxCount: number) =>
      context.messages.park({
        ids: await context.claim(first?.sessionId ?? 0, { maxCount }),
        error: 'rejected',
      });
    await park(1);
    expect(await context.messages.waitingTurns()).toMatchObject([
      { promptNumber: 1, count: 1, isOver: true },
    ]);
    await park(20);
    expect(await context.messages.waitingTurns()).toMatchObject([{ promptNumber: 2, count: 1 }]);
    await park(20);
    expect(await context.messages.waitingTurns()).toEqual([]);
  });

  it('joins turns without tool uses when maxTurns allows it', async () => {
    await context.seed(prompt('a', 1), turnEnd('a', 2), prompt('a', 3), turnEnd('a', 4), prompt('a', 5));
    expect(await context.messages.waitingTurns()).toMatchObject([
      { promptNumber: 1, turns: 1, count: 1, isConversation: true, hasLaterPrompt: true, newestAtEpoch: 2 },
    ]);
    expect(await context.messages.waitingTurns({ maxTurns: 2 })).toMatchObject([
      {
        promptNumber: 2,
        turns: 2,
        count: 2,
        isConversation: true,
        isOver: true,
        hasLaterPrompt: true,
        firstAtEpoch: 2,
        newestAtEpoch: 4,
      },
    ]);
  });

  it('joins turns without tool uses with the next turn that has some, and with nothing after it', async () => {
    await context.seed(
      ...[prompt('a', 1), turnEnd('a', 2), prompt('a', 3), evidence('a', 4)],
      ...[prompt('b', 5), toolUse('b', 6), turnEnd('b', 7), prompt('b', 8), turnEnd('b', 9)],
    );
    expect(await context.messages.waitingTurns({ maxTurns: 6 })).toMatchObject([
      { promptNumber: 2, turns: 2, count: 1, isConversation: false, isOver: false, hasLaterPrompt: false },
      { promptNumber: 1, turns: 1, count: 2, isConversation: false, isOver: true, hasLaterPrompt: true },
    ]);
  });

  it('reports the end of the session until the session continues', async () => {
    await context.seed(prompt('a', 1), turnEnd('a', 2), sessionEnd('a', 3));
    expect(await context.messages.waitingTurns()).toMatchObject([{ isSessionOver: true }]);
    await context.seed(prompt('a', 4));
    expect(await context.messages.waitingTurns()).toMatchObject([{ isSessionOver: false }]);
  });
}

import type { CapturedEvent, Store } from '../../ports/store.js';
import type { OpenedPendingMessages, PendingSeed } from './opened-pending-messages.js';

/** Creates `seed` and `confirm` for a real store, with which an adapter can run the suite. */
export function seedThroughStore(store: Store): Pick<OpenedPendingMessages, 'seed' | 'confirm'> {
  let seeds = 0;
  return {
    seed: async (events) =>
      (await store.capture(events.map((seed) => toCapturedEvent(seed, (seeds += 1))))).map(
        ({ sessionId, promptNumber }) => ({ sessionId, promptNumber }),
      ),
    async confirm(messages) {
      const [first] = messages;
      if (!first) return;
      await store.commitReply({
        sessionId: first.sessionId,
        promptNumber: messages.at(-1)?.promptNumber ?? first.promptNumber,
        observations: [],
        summary: null,
        confirm: messages.map(({ id }) => ({ id, outcome: 'empty' })),
        provider: 'scripted',
        model: null,
        now: first.createdAtEpoch,
      });
    },
  };
}

function toCapturedEvent(seed: PendingSeed, number: number): CapturedEvent {
  const text = seed.text ?? `event ${number}`;
  const common = {
    host: 'claude-code',
    contentSessionId: seed.session,
    cwd: '/home/dev/shop',
    projectDir: '/home/dev/shop',
    promptId: null,
    agentId: null,
    agentType: null,
    dedupeKey: `seed-${number}`,
    occurredAtEpoch: seed.at,
    project: { key: '/home/dev/shop', name: 'shop' },
    filterReason: null,
  } as const;
  switch (seed.kind) {
    case 'prompt':
      return { ...common, kind: 'prompt', text };
    case 'turn-end':
      return { ...common, kind: 'turn-end', lastAssistantMessage: text, transcriptPath: null };
    case 'session-end':
      return { ...common, kind: 'session-end', reason: 'other' };
    case 'tool-use':
      return {
        ...common,
        kind: 'tool-use',
        toolName: 'Bash',
        toolUseId: `toolu_${number}`,
        input: { command: `run ${number}` },
        response: { stdout: text },
        outcome: 'succeeded',
        error: null,
        isInterrupt: false,
        durationMs: 5,
        isEvidence: seed.isEvidence ?? false,
      };
  }
}

import type { CapturedEvent } from '@claude-mem/core';

type Kind = CapturedEvent['kind'];
type Of<One extends Kind> = Extract<CapturedEvent, { kind: One }>;

const START = Date.UTC(2026, 0, 1);

const common = {
  host: 'claude-code',
  contentSessionId: 'session-1',
  cwd: '/home/dev/shop',
  projectDir: '/home/dev/shop',
  promptId: null,
  agentId: null,
  agentType: null,
  project: { key: '/home/dev/shop', name: 'shop' },
  filterReason: null,
} as const;

/** Events of one session, each with a key and a time of its own unless given. */
export function createEvents(session = 'session-1') {
  let count = 0;
  const base = () => {
    count += 1;
    return {
      ...common,
      contentSessionId: session,
      dedupeKey: `${session}-${count}`,
      occurredAtEpoch: START + count * 1_000,
    };
  };
  return {
    start: (more: Partial<Of<'session-start'>> = {}): CapturedEvent => ({
      ...base(),
      kind: 'session-start',
      source: 'startup',
      ...more,
    }),
    prompt: (text: string, more: Partial<Of<'prompt'>> = {}): CapturedEvent => ({
      ...base(),
      kind: 'prompt',
      text,
      ...more,
    }),
    toolUse: (more: Partial<Of<'tool-use'>> = {}): CapturedEvent => ({
      ...base(),
      kind: 'tool-use',
      toolName: 'Bash',
      toolUseId: `toolu_${count}`,
      input: { command: `run ${count}` },
      response: { stdout: 'done' },
      outcome: 'succeeded',
      error: null,
      isInterrupt: false,
      durationMs: 5,
      ...more,
    }),
    turnEnd: (more: Partial<Of<'turn-end'>> = {}): CapturedEvent => ({
      ...base(),
      kind: 'turn-end',
      lastAssistantMessage: 'All done.',
      transcriptPath: null,
      ...more,
    }),
    compaction: (): CapturedEvent => ({ ...base(), kind: 'compaction' }),
    end: (more: Partial<Of<'session-end'>> = {}): CapturedEvent => ({
      ...base(),
      kind: 'session-end',
      reason: 'clear',
      ...more,
    }),
  };
}

import type { HostEvent, JsonValue } from '@claude-mem/core';
import type { CaptureReply, SessionInit } from '@claude-mem/worker-protocol';
import type { FastifyInstance } from 'fastify';
import type { CaptureOutcome, CaptureCounters } from '@claude-mem/capture';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

/** Routes for normalized events, which are processed like hooks but without a host adapter. */
export async function captureRoutes(
  app: FastifyInstance,
  { memory, counters }: { memory: NeedMemory; counters: CaptureCounters },
): Promise<void> {
  const take = async (event: HostEvent, body: EventFields): Promise<CaptureReply> => {
    const outcome = await memory().capture.take(event, originOf(body, event.kind));
    counters[outcome.kind === 'committed' ? 'events' : 'ignored'] += 1;
    return toReply(outcome);
  };

  bindRoute(app, 'initSession', async ({ body }) => {
    const started = await take({ ...baseOf(body), kind: 'session-start', source: 'startup' }, body);
    const text = body.prompt ?? '';
    return text === '' ? started : take({ ...baseOf(body), kind: 'prompt', text }, body);
  });

  bindRoute(app, 'recordToolUse', async ({ body }) =>
    take(
      {
        ...baseOf(body),
        kind: 'tool-use',
        toolName: body.toolName,
        toolUseId: body.toolUseId ?? null,
        input: (body.input ?? null) as JsonValue,
        response: (body.response ?? null) as JsonValue,
        outcome: body.outcome ?? 'succeeded',
        error: body.error ?? null,
        isInterrupt: body.isInterrupt ?? false,
        durationMs: body.durationMs ?? null,
      },
      body,
    ),
  );

  bindRoute(app, 'summarizeSession', async ({ body }) =>
    take(
      {
        ...baseOf(body),
        kind: 'turn-end',
        lastAssistantMessage: body.lastAssistantMessage ?? null,
        transcriptPath: null,
      },
      body,
    ),
  );
}

type EventFields = Omit<SessionInit, 'prompt'>;

function baseOf(body: EventFields) {
  return {
    host: body.host ?? 'claude-code',
    contentSessionId: body.contentSessionId,
    cwd: body.cwd ?? null,
    projectDir: body.projectDir ?? null,
    promptId: body.promptId ?? null,
    agentId: body.agentId ?? null,
    agentType: body.agentType ?? null,
  } as const;
}

/** One request may contain two events, and each needs an id. */
function originOf(body: EventFields, kind: HostEvent['kind']) {
  const env = body.eventId === undefined ? {} : { eventId: `${body.eventId}:${kind}` };
  return body.occurredAtEpoch === undefined ? { env } : { env, occurredAtEpoch: body.occurredAtEpoch };
}

function toReply(outcome: CaptureOutcome): CaptureReply {
  if (outcome.kind === 'skipped')
    return { kind: 'excluded', sessionId: null, projectId: null, promptNumber: null };
  const { kind, sessionId, projectId, promptNumber } = outcome.result;
  return { kind, sessionId, projectId, promptNumber };
}

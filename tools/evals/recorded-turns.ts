import { readdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HostEvent, ObservedToolUse, ObserverBatch } from '@claude-mem/core';
import { adapterFor, resolveProject } from '@claude-mem/host-adapters';
import { boundJson, scrubEvent } from '@claude-mem/privacy';

/** The folder of data sets. tools/eval.mjs sets the variable and skips an eval whose data is missing. */
export function dataSetFolder(): string {
  const folder = process.env['CLAUDE_MEM_SHARED'];
  if (folder === undefined) throw new Error('CLAUDE_MEM_SHARED is not set. Run "npm run eval"');
  return folder;
}

interface RecordedEvent {
  at: string;
  event: string;
  payload: unknown;
}

type ReadEvents = (file: string, options: object) => AsyncIterable<RecordedEvent>;

/** Reads the turns of a recorded session as input of the observer: one batch per prompt. */
export async function recordedTurns(shared: string, transcript: string): Promise<ObserverBatch[]> {
  const replay = join(shared, 'tools', 'replay', 'transcript-to-events.mjs');
  const { hookEvents } = (await import(pathToFileURL(replay).href)) as { hookEvents: ReadEvents };
  const adapter = adapterFor('claude-code');
  if (!adapter) throw new Error('the claude-code adapter is missing');
  const batches: OpenBatch[] = [];
  for await (const { at, event, payload } of hookEvents(
    join(shared, 'data', 'transcripts', transcript),
    {},
  )) {
    const reading = adapter.readEvent({ event, payload, env: {} });
    if (reading.kind === 'event') take(batches, scrubEvent(reading.event).event, Date.parse(at));
  }
  const conversation = batches.map(({ promptNumber, prompt, closing }) => ({
    promptNumber,
    prompt: prompt ?? '',
    reply: closing?.lastAssistantMessage ?? null,
  }));
  return batches.map((batch, index) => ({ ...batch, conversation: conversation.slice(0, index + 1) }));
}

export function transcripts(shared: string): string[] {
  return readdirSync(join(shared, 'data', 'transcripts')).filter((name) =>
    /^(?:cc-|codex).*\.jsonl\.gz$/.test(name),
  );
}

type OpenBatch = { -readonly [Key in keyof ObserverBatch]: ObserverBatch[Key] } & {
  toolUses: ObservedToolUse[];
};

function take(batches: OpenBatch[], event: HostEvent, at: number): void {
  const current = batches.at(-1);
  if (event.kind === 'prompt') {
    if (current && current.closing === null)
      current.closing = { reason: 'interrupted', lastAssistantMessage: null };
    batches.push(openBatch(event, batches));
  } else if (event.kind === 'tool-use' && current) {
    const {
      kind: _kind,
      host: _host,
      contentSessionId: _id,
      projectDir: _dir,
      promptId: _prompt,
      ...use
    } = event;
    current.toolUses.push({
      ...use,
      input: boundJson(use.input),
      response: boundJson(use.response),
      messageId: current.toolUses.length + 1,
      createdAtEpoch: at,
    });
  } else if (event.kind === 'turn-end' && current) {
    current.closing = { reason: 'turn-end', lastAssistantMessage: event.lastAssistantMessage };
  } else if (event.kind === 'session-end' && current?.closing === null) {
    current.closing = { reason: 'interrupted', lastAssistantMessage: null };
  }
}

function openBatch(event: Extract<HostEvent, { kind: 'prompt' }>, batches: readonly OpenBatch[]): OpenBatch {
  const project = resolveProject(event, { home: homedir(), tmpDir: tmpdir() });
  return {
    session: {
      id: 1,
      host: event.host,
      contentSessionId: event.contentSessionId,
      project: project.name,
      projectRoot: batches[0]?.session.projectRoot ?? event.projectDir ?? event.cwd,
      goal: batches[0]?.prompt ?? event.text,
      memorySessionId: null,
    },
    promptNumber: batches.length + 1,
    firstPromptNumber: batches.length + 1,
    prompt: event.text,
    recordedTitles: [],
    lastSummary: null,
    toolUses: [],
    closing: null,
    conversation: [],
  };
}

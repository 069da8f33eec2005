// Provides the events of sessions: from a recorded transcript, or generated from a seed.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { claudePayloads, sharedFolder } from '@claude-mem/testing';

/** Folder of recorded data, or null. CLAUDE_MEM_SHARED overrides the default ../shared. */
export const shared = sharedFolder(process.env);

/** Returns the paths of recorded Claude Code sessions, oldest client first. Empty when there are none. */
export function transcripts() {
  const folder = shared && path.join(shared, 'data', 'transcripts');
  if (!folder || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^cc-.*\.jsonl(\.gz)?$/.test(name))
    .map((name) => path.join(folder, name));
}

/** Path of the program that replays a transcript like its host. */
export const replayProgram = () => path.join(shared, 'tools', 'replay', 'replay.mjs');

/** Returns all hook events of a transcript in order: { event, payload }. */
export async function eventsOfTranscript(file, { cwd, sessionId }) {
  const source = path.join(shared, 'tools', 'replay', 'transcript-to-events.mjs');
  const { hookEvents } = await import(pathToFileURL(source).href);
  const events = [];
  for await (const event of hookEvents(file, { cwd, sessionId })) events.push(event);
  return events;
}

/** Generates a session of edits, reads and commands. Some of them fail. Equal seeds generate equal sessions. */
export function syntheticSession({ cwd, sessionId, turns = 3, calls = 8, seed = 1 }) {
  const random = randomFrom(seed);
  const payloads = claudePayloads({ cwd, sessionId });
  const events = [];
  const add = (event, payload) => events.push({ event, payload });
  add('SessionStart', payloads.sessionStart());
  for (let turn = 1; turn <= turns; turn += 1) {
    add('UserPromptSubmit', payloads.prompt(`Raise limit ${turn} and make its test pass`));
    for (let call = 1; call <= calls; call += 1) add(...toolEvent(payloads, random, turn, call));
    add('Stop', payloads.stop(`Limit ${turn} is now ${turn * 10}; the test of limit ${turn} passes.`));
  }
  add('SessionEnd', payloads.sessionEnd());
  return events;
}

function toolEvent(payloads, random, turn, call) {
  const pick = random();
  if (pick < 0.2) {
    const input = { command: `npm test -- limit-${turn}`, description: 'Run the test' };
    return [
      'PostToolUseFailure',
      payloads.toolFailure({ name: 'Bash', input, error: `Exit code 1\nexpected ${call}` }),
    ];
  }
  if (pick < 0.5) {
    const input = { command: `npm test -- limit-${turn}`, description: 'Run the test' };
    const response = { stdout: `Tests ${call} passed`, stderr: '', interrupted: false, isImage: false };
    return ['PostToolUse', payloads.toolUse({ name: 'Bash', input, response })];
  }
  return ['PostToolUse', payloads.toolUse()];
}

/** Creates a pseudo-random generator (mulberry32) of numbers in [0, 1). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

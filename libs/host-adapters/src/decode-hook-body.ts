import { Buffer } from 'node:buffer';
import type { HookEnv } from './host-adapter.js';
import { parseJson } from './parse-json.js';
import { plainJson } from './plain-json.js';
import { repairJson } from './repair-json.js';

/** The parsed body of a hook. With a `problem`, nothing can be captured; the readable part is for the log. */
export type DecodedHookBody =
  | { env: HookEnv; payload: unknown }
  | { env: HookEnv; problem: string; isEmpty: boolean; sessionId: string | null; toolName: string | null };

/**
 * Reads the body of a hook: our envelope (`name: value` lines, an empty line, the host's bytes) or only the bytes.
 * Tolerates any byte-order mark, control characters in texts, invalid backslashes and text after the end. Never
 * throws. The payload is plain JSON of at most 200 levels without prototype keys.
 */
export function decodeHookBody(bytes: Uint8Array): DecodedHookBody {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { env, bodyStart } = readEnvelope(buffer);
  const text = decodeText(buffer.subarray(bodyStart)).trim();
  if (text === '')
    return { env, problem: 'the input is empty', isEmpty: true, sessionId: null, toolName: null };
  const parsed = parseJson(text) ?? parseJson(repairJson(text) ?? '');
  if (parsed) return { env, payload: plainJson(parsed.value) };
  return {
    env,
    problem: 'the input is not valid JSON and cannot be repaired',
    isEmpty: false,
    sessionId: salvage(text, 'session_id') ?? salvage(text, 'conversation_id'),
    toolName: salvage(text, 'tool_name'),
  };
}

const MAX_HEADER_BYTES = 65_536;
const HEADER_LINE = /^([a-z][a-z0-9-]{0,40}):[ \t]*(.*)$/;

/** No JSON begins like a header line, so the first line shows whether there is an envelope. */
function readEnvelope(buffer: Buffer): { env: HookEnv; bodyStart: number } {
  const env: HookEnv = {};
  let at = 0;
  while (at < buffer.length && at < MAX_HEADER_BYTES) {
    const lineEnd = buffer.indexOf(0x0a, at);
    if (lineEnd === -1 || lineEnd > MAX_HEADER_BYTES) break;
    const line = buffer.toString('utf8', at, lineEnd).replace(/\r$/, '');
    if (line === '' && at > 0) return { env, bodyStart: lineEnd + 1 };
    const header = HEADER_LINE.exec(line);
    if (!header) break;
    const value = (header[2] ?? '').trim();
    if (value !== '') env[camelCase(header[1] ?? '')] = value;
    at = lineEnd + 1;
  }
  return { env: {}, bodyStart: 0 };
}

const camelCase = (name: string) => name.replace(/-+([a-z0-9])/g, (_, char: string) => char.toUpperCase());

/**
 * UTF-8, unless a byte-order mark or the positions of zero bytes indicate another encoding. Invalid bytes become
 * U+FFFD.
 */
function decodeText(buffer: Buffer): string {
  const [first, second] = buffer;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) {
    return new TextDecoder('utf-16le').decode(buffer);
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && buffer.length > 1)) {
    return new TextDecoder('utf-16be').decode(buffer);
  }
  return new TextDecoder('utf-8').decode(buffer);
}

const SALVAGE_LENGTH = 65_536;

function salvage(text: string, field: string): string | null {
  const pattern = new RegExp(`"${field}"\\s{0,20}:\\s{0,20}"([\\w.:-]{1,200})"`);
  return pattern.exec(text.slice(0, SALVAGE_LENGTH))?.[1] ?? null;
}

import { headAndTail, sliceCharacters, type HostEvent, type JsonValue } from '@claude-mem/core';

/** This limit is far above the stored size, so that a secret at the cut is not in the stored part. */
const MAX_TEXT = 256_000;
const MAX_TOTAL_TEXT = 2_000_000;
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 200;
const BLOCK_START = /private|claude-mem-context|system-reminder|hook_context/i;

/** Limits the size of an event, so that scrubbing a very large event does not delay other events. */
export function limitEvent<E extends HostEvent>(event: E): E {
  if (event.kind === 'prompt') return { ...event, text: cutText(event.text) };
  if (event.kind === 'turn-end')
    return {
      ...event,
      lastAssistantMessage: event.lastAssistantMessage && cutText(event.lastAssistantMessage),
    };
  if (event.kind !== 'tool-use') return event;
  const { input, response, error } = event;
  return { ...event, input: cutValue(input), response: cutValue(response), error: error && cutText(error) };
}

/** A block that begins in the removed part can continue in the tail. The tail is then removed too. */
function cutText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const isOpen = BLOCK_START.test(text.slice(MAX_TEXT / 2, -MAX_TEXT / 4));
  return isOpen ? sliceCharacters(text, 0, MAX_TEXT / 2) : headAndTail(text, MAX_TEXT);
}

function cutValue(value: JsonValue): JsonValue {
  let text = MAX_TOTAL_TEXT;
  let entries = MAX_ENTRIES;
  const cut = (part: JsonValue, depth: number): JsonValue => {
    if (typeof part === 'string') {
      const kept = text > 0 ? cutText(part) : '';
      text -= kept.length;
      return kept;
    }
    if (typeof part !== 'object' || part === null) return part;
    if (depth > MAX_DEPTH || entries <= 0) return null;
    if (Array.isArray(part)) {
      const items = part.slice(0, entries);
      entries -= items.length;
      return items.map((item) => cut(item, depth + 1));
    }
    const pairs = Object.entries(part).slice(0, entries);
    entries -= pairs.length;
    return Object.fromEntries(pairs.map(([key, item]) => [cutText(key), cut(item, depth + 1)]));
  };
  return cut(value, 0);
}

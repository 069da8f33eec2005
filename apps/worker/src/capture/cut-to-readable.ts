import { headAndTail, wholeSlice, type HostEvent, type JsonValue } from '@claude-mem/core';

/** Far more than is stored, so that a secret this cuts in two lies in the part that storing leaves out. */
const LONGEST_TEXT = 256_000;
const MOST_TEXT = 2_000_000;
const MOST_ENTRIES = 5_000;
const DEEPEST = 200;
const OPENS_A_BLOCK = /private|claude-mem-context|system-reminder|hook_context/i;

/** Bounds the work of scrubbing: a huge event must not hold up the others. */
export function cutToReadable<E extends HostEvent>(event: E): E {
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

/** What a block might have opened in the part left out could go on in the tail: then the tail is left out too. */
function cutText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const isOpen = OPENS_A_BLOCK.test(text.slice(LONGEST_TEXT / 2, -LONGEST_TEXT / 4));
  return isOpen ? wholeSlice(text, 0, LONGEST_TEXT / 2) : headAndTail(text, LONGEST_TEXT);
}

function cutValue(value: JsonValue): JsonValue {
  let text = MOST_TEXT;
  let entries = MOST_ENTRIES;
  const cut = (part: JsonValue, depth: number): JsonValue => {
    if (typeof part === 'string') {
      const kept = text > 0 ? cutText(part) : '';
      text -= kept.length;
      return kept;
    }
    if (typeof part !== 'object' || part === null) return part;
    if (depth > DEEPEST || entries <= 0) return null;
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

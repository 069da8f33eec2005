import { CUT_OUTPUT_NOTE, type HostEvent, type JsonValue, type ToolUsed } from '@claude-mem/core';
import { createTextScrubber } from './create-text-scrubber.js';
import { listRemovedValues, removeValues, scrubAnswer } from './repeated-secrets.js';
import { scrubJson } from './scrub-json.js';
import { scrubText, type ScrubbedText } from './scrub-text.js';
import {
  isSecretFile,
  scrubSecretFileCommand,
  scrubSecretFileText,
  secretFileInCommand,
} from './secret-files.js';

interface ScrubEventOptions {
  known?: readonly string[];
  isAnswer?: boolean;
  onSecret?: (value: string) => void;
}

/**
 * Scrubs every text of an event. Ids and folders do not change, because they identify the event.
 * When the tool used a file for secrets (`.env`, `id_rsa`, `credentials`, `*.pem`), all values of its content are
 * removed.
 * @param options.known values that are removed everywhere, with or without a label. @default none
 * @param options.isAnswer true for a prompt that answers a question for a secret. @default false
 * @param options.onSecret called with each removed value that must not occur in later events of the session
 */
export function scrubEvent<E extends HostEvent>(
  event: E,
  options: ScrubEventOptions = {},
): { event: E; removed: number } {
  const fields = createFieldScrubber(options);
  // The type checker cannot infer that a copy with the same fields is an E.
  const scrubbed = scrubFields(event, fields) as E;
  return { event: scrubbed, removed: fields.removed() };
}

/** Maximum list items. `boundJson` keeps fewer. Without a limit, a list of millions of items blocks the worker. */
const MAX_ITEMS = 1_000;

/** Minimum length of a secret answer. Shorter texts are parts of ordinary words. */
const MIN_ANSWER_LENGTH = 4;

type FieldScrubber = ReturnType<typeof createFieldScrubber>;

function scrubFields(event: HostEvent, fields: FieldScrubber): HostEvent {
  const { text, prompt, optional } = fields;
  const base = { ...event, agentType: optional(event.agentType) };
  switch (base.kind) {
    case 'session-start':
    case 'compaction':
      return base;
    case 'prompt':
      return { ...base, text: prompt(base.text) };
    case 'tool-use':
      return scrubToolUse(base, fields);
    case 'turn-end':
      return { ...base, lastAssistantMessage: optional(base.lastAssistantMessage) };
    case 'session-end':
      return { ...base, reason: text(base.reason) };
  }
}

function scrubToolUse(event: ToolUsed, { text, optional, json }: FieldScrubber): ToolUsed {
  const isSecret = usesSecretFile(event.input, event.response);
  const content = isSecret ? scrubSecretFileText : scrubText;
  return {
    ...event,
    toolName: text(event.toolName),
    input: isSecret ? scrubSecretInput(event.input, json) : json(event.input, scrubText),
    response: json(event.response, content, CUT_OUTPUT_NOTE),
    error: event.error === null ? null : isSecret ? text(event.error, content) : optional(event.error),
  };
}

const PATH_KEYS =
  /^(?:file_?path|path|absolute_?path|notebook_?path|target_?file|file_?name|file|uri|paths|files|relative_workspace_path)$/i;
const COMMAND_KEYS = /^(?:command|cmd|script|args|argv|code|input)$/i;

function usesSecretFile(input: JsonValue, response: JsonValue): boolean {
  return namesSecretFile(input, 0, true) || namesSecretFile(response, 0, false);
}

function namesSecretFile(value: JsonValue, depth: number, isInput: boolean): boolean {
  if (depth > 6 || typeof value !== 'object' || value === null)
    return isInput && depth === 0 && typeof value === 'string' && namesFile(value);
  if (Array.isArray(value))
    return value.slice(0, 200).some((item: JsonValue) => namesSecretFile(item, depth + 1, isInput));
  return Object.entries(value as Record<string, JsonValue>).some(([key, inner]) => {
    const texts =
      typeof inner === 'string'
        ? [inner]
        : Array.isArray(inner)
          ? inner.filter((item) => typeof item === 'string')
          : [];
    if (PATH_KEYS.test(key) && texts.some((path) => isSecretFile(path))) return true;
    if (isInput && COMMAND_KEYS.test(key) && texts.some(namesFile)) return true;
    return namesSecretFile(inner, depth + 1, isInput);
  });
}

const namesFile = (command: string) => secretFileInCommand(command) !== null;

/** Removes only the content from the input. Paths and commands describe the action and are kept. */
function scrubSecretInput(input: JsonValue, json: FieldScrubber['json']): JsonValue {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return json(input, scrubSecretFileCommand);
  const fields = Object.entries(input as Record<string, JsonValue>).map(([key, value]) => {
    const scrub = PATH_KEYS.test(key)
      ? scrubText
      : COMMAND_KEYS.test(key) || key === 'description'
        ? scrubSecretFileCommand
        : scrubSecretFileText;
    return json({ [key]: value }, scrub) as Record<string, JsonValue>;
  });
  return Object.assign({}, ...fields) as Record<string, JsonValue>;
}

function createFieldScrubber({
  known = [],
  isAnswer = false,
  onSecret = () => undefined,
}: ScrubEventOptions) {
  let removed = 0;
  /** Scrubs a text and then removes repetitions of the removed values. */
  const scrubAll = (value: string, scrub: (text: string) => ScrubbedText): ScrubbedText => {
    const first = removeValues(value, known);
    const result = scrub(first.text);
    if (result.removed === 0) return { text: result.text, removed: first.removed };
    const values = listRemovedValues(first.text, result.text);
    values.forEach(onSecret);
    const last = removeValues(result.text, values);
    return { text: last.text, removed: first.removed + result.removed + last.removed };
  };
  const text = (value: string, scrub: (text: string) => ScrubbedText = scrubText): string => {
    const result = scrubAll(value, scrub);
    removed += result.removed;
    return result.text;
  };
  return {
    text,
    prompt: (value: string): string => {
      if (!isAnswer) return text(value);
      const answer = scrubAnswer(text(value));
      removed += answer.values.length;
      answer.values.filter(({ length }) => length >= MIN_ANSWER_LENGTH).forEach(onSecret);
      return answer.text;
    },
    optional: (value: string | null): string | null => (value === null ? null : text(value)),
    json: (
      value: JsonValue,
      scrubString: (text: string) => ScrubbedText,
      note: string | null = null,
    ): JsonValue => {
      const result = scrubJson(value, {
        scrubString: createTextScrubber((one) => scrubAll(one, scrubString), note),
        maxItems: MAX_ITEMS,
        onSecret,
      });
      removed += result.removed;
      return result.value;
    },
    removed: () => removed,
  };
}

import { describe, expect, it } from 'vitest';
import type { DescribeHostOptions } from './describe-host-options.js';

const LIKE_CLAUDE_CODE = [
  'hookSpecificOutput.hookEventName',
  'hookSpecificOutput.additionalContext',
  'systemMessage',
];

/** All fields of our responses. None of them stops, blocks or continues the host's work. */
const ANSWER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': LIKE_CLAUDE_CODE,
  codex: LIKE_CLAUDE_CODE,
  'gemini-cli': LIKE_CLAUDE_CODE,
  cursor: ['continue', 'additional_context'],
  opencode: ['context'],
};

/** Our event names for tool results, with the event of the host. */
const EVENT_OF_QUESTION: Readonly<Record<string, string>> = {
  FileRead: 'PostToolUse',
  ToolResult: 'PostToolUse',
  ToolFailure: 'PostToolUseFailure',
};

/** Length above which a host replaces a text with a preview, in UTF-16 code units. */
const MOST_CONTEXT = 10_000;

/** Tests the contract of everything that is printed for a host. */
export function describeAnswering(name: string, { open, contextEvents }: DescribeHostOptions): void {
  describe(`${name}: answering`, () => {
    const adapter = open();

    it('prints nothing or one JSON object, on one line', () => {
      for (const event of [...adapter.events, 'Nope']) {
        for (const answer of [
          {},
          { context: 'a\n"b" \u0000' },
          { notice: 'x\ny' },
          { context: 'c', notice: 'n' },
        ]) {
          const text = adapter.writeAnswer(event, answer);
          if (text === '') continue;
          expect(text).not.toContain('\n');
          expect(JSON.parse(text)).toBeTypeOf('object');
        }
      }
    });

    it('gives context where the host takes it and nowhere else', () => {
      for (const event of adapter.events) {
        const text = adapter.writeAnswer(event, { context: 'TOKEN-7' });
        expect(text.includes('TOKEN-7'), event).toBe(contextEvents.includes(event));
      }
    });

    it('says nothing but what the host takes, for the event that it asked for', () => {
      for (const event of [...adapter.events, 'Nope', '', '__proto__']) {
        for (const answer of [{}, { context: 'c' }, { notice: 'n' }, { context: 'c', notice: 'n' }]) {
          const answered = fieldsOf(adapter.writeAnswer(event, answer) || '{}');
          expect(ANSWER_FIELDS[adapter.name], event).toEqual(expect.arrayContaining([...answered.keys()]));
          expect(answered.get('continue') ?? true).toBe(true);
          const hostEvent = EVENT_OF_QUESTION[event] ?? event;
          expect(answered.get('hookSpecificOutput.hookEventName') ?? hostEvent).toBe(hostEvent);
        }
      }
    });

    it('prints a megabyte as what the host takes of it, whole at its end', () => {
      const context = `<claude-mem-context>\n${'| 🦊 |\n'.repeat(150_000)}</claude-mem-context>`;
      for (const event of contextEvents) {
        for (const notice of ['', '🦊'.repeat(500_000)]) {
          const answered = fieldsOf(adapter.writeAnswer(event, { context, notice }));
          const texts = [...answered.values()].filter((value) => typeof value === 'string');
          const longest = texts.toSorted((a, b) => b.length - a.length)[0] ?? '';
          expect(longest.length).toBeLessThanOrEqual(MOST_CONTEXT);
          expect(longest).toMatch(/^<claude-mem-context>\n[^]*\| 🦊 \|\n<\/claude-mem-context>$/);
          for (const text of texts) expect(text.isWellFormed()).toBe(true);
        }
      }
    });
  });
}

/** Values of a JSON text by path. */
function fieldsOf(text: string): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return void fields.set(path, value);
    for (const [key, item] of Object.entries(value)) walk(item, path === '' ? key : `${path}.${key}`);
  };
  walk(JSON.parse(text), '');
  return fields;
}

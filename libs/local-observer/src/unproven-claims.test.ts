import {
  bash,
  CART_FIX,
  edit,
  failedBash,
  PROJECT_ROOT,
  read,
  type ToolUseFields,
} from '@claude-mem/evidence/testing';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';
import { countWords } from './text/count-words.js';

const observe = (fields: ObserverBatchFields) => observeTurn(createObserverBatch(fields));
const textOf = (value: unknown) => JSON.stringify(value);

describe('claims without evidence', () => {
  it('B159: reports no bugfix when the fix is only announced', () => {
    const { observations } = observe({
      prompt: 'Fix the login',
      toolUses: [read('src/login.ts'), read('src/session.ts')],
      closing: 'Fixed the login in `src/login.ts` by checking the session.',
    });
    expect(textOf(observations)).not.toContain('Fixed the login');
    expect(observations.flatMap(({ filesModified }) => filesModified)).toEqual([]);
    expect(observations.map(({ type }) => type)).not.toContain('bugfix');
  });

  it('B160: removes a commit id that no result shows, and keeps a color code', () => {
    const { observations, summary } = observe({
      prompt: 'Change the button colour',
      toolUses: [edit('src/button.css', 'color: red;', 'color: #ff00aa;')],
      closing:
        'Changed the button to `#ff00aa`.\n\nThe old styles went away with commit deadbee1 of the same day.',
    });
    expect(textOf([observations, summary])).toContain('#ff00aa');
    expect(textOf([observations, summary])).not.toContain('deadbee1');
  });

  it('removes claims about work of an earlier turn', () => {
    const { observations } = observe({
      ...CART_FIX,
      closing:
        'Fixed `totalOf()` in `src/cart.ts`.\n\n- Added a trace to `src/main.ts`\n- Rounded the total in `src/cart.ts`',
    });
    expect(textOf(observations)).not.toContain('src/main.ts');
    expect(textOf(observations)).toContain('Rounded the total');
  });

  it('corrects a claim when an edit was not permitted', () => {
    const { observations, summary } = observe({
      prompt: '/init',
      toolUses: [
        read('package.json'),
        {
          toolName: 'Write',
          input: { file_path: `${PROJECT_ROOT}/CLAUDE.md`, content: '# x' },
          outcome: 'failed',
          error: 'Claude requested permissions to write to CLAUDE.md, but you have not granted it yet.',
        },
      ],
      closing:
        "I've created a `CLAUDE.md` file for this repository. It holds placeholders for the usual commands, since there is nothing to analyze yet, and should be updated as the project develops.",
    });
    expect(observations).toEqual([]);
    expect(summary?.completed).toBeNull();
    expect(summary?.notes).toContain('An edit of `CLAUDE.md` was not permitted');
  });

  it('attributes guesses to the agent', () => {
    const { observations } = observe({
      ...CART_FIX,
      closing: `${String(CART_FIX.closing)}\n\nThe slow start is probably caused by \`loadAll()\`.`,
    });
    expect(observations[0]?.narrative).toContain(
      'According to the agent: The slow start is probably caused by `loadAll()`',
    );
  });

  it('adds the failure when the agent reports passing tests and the last run failed', () => {
    const { observations } = observe({
      ...CART_FIX,
      toolUses: [...CART_FIX.toolUses!, failedBash('npm test', 'FAIL src/cart.test.ts')],
    });
    expect(textOf(observations)).toContain('still failed at its last run');
  });

  it('corrects a claim when the check ran while the changes were stashed', () => {
    const toolUses = [
      ...CART_FIX.toolUses!.slice(0, 3),
      bash('git stash && npm test', 'Tests: 12 passed, 12 total'),
      bash('git stash pop'),
    ];
    expect(textOf(observe({ ...CART_FIX, toolUses }).observations)).toContain(
      'ran with the changes stashed away',
    );
  });
});

describe('texts that are not stored', () => {
  it('does not store failures from incorrect tool calls of the agent', () => {
    const slips: ToolUseFields[] = [
      {
        ...edit('src/cart.ts', 'x', 'y'),
        outcome: 'failed',
        response: null,
        error: '<tool_use_error>File has not been read yet.</tool_use_error>',
      },
      {
        ...edit('src/cart.ts', 'x', 'y'),
        outcome: 'failed',
        response: null,
        error: '<tool_use_error>String to replace not found in file.</tool_use_error>',
      },
      failedBash('npm run lint', '(eval):1: parse error near `('),
      failedBash('cd nowhere && npm test', 'cd: no such file or directory: nowhere'),
    ];
    const text = textOf(observe({ ...CART_FIX, toolUses: [...slips, ...CART_FIX.toolUses!] }));
    expect(text).not.toMatch(/not been read|not found in file|parse error|no such file/);
  });

  it('does not store sample values, secrets, home folders and addresses', () => {
    const text = textOf(
      observe({
        prompt: 'Add the key',
        toolUses: [
          edit('.env.example', 'A=1', 'A=1\nPAYMENT_SECRET=sk-sample-value-123'),
          edit('src/pay.ts', "const apiKey = 'abcdef123456';", "const apiKey = 'zyxwvu987654';"),
          edit('config/app.yml', 'password: hunter2-abc', 'password: correct-horse'),
          bash('npm test', 'Tests: 1 passed, 1 total'),
        ],
        closing:
          'Added `PAYMENT_SECRET` for someone@example.org, see /Users/somebody/notes.md.\n\n- Set `DB_PASSWORD=hunter2-abc` in `src/pay.ts`',
      }),
    );
    expect(text).toContain('PAYMENT_SECRET');
    expect(text).not.toMatch(/sk-sample|zyxwvu|abcdef123456|someone@|somebody|hunter2|correct-horse/);
  });
});

describe('records of a large turn', () => {
  const fields: ObserverBatchFields = {
    prompt: 'x '.repeat(50_000),
    toolUses: Array.from({ length: 300 }, (_, index) =>
      edit(`src/file-${index}.ts`, 'a', `export function made${index}() {}\n`.repeat(20)),
    ),
    closing: `${'Changed `src/file-1.ts` a lot because it had to be. '.repeat(3_000)}\n${'- Added `x()` to `src/file-2.ts`\n'.repeat(3_000)}`,
  };

  it('limits the length of every field', () => {
    const { observations, summary } = observe(fields);
    expect(observations.length).toBeLessThanOrEqual(3);
    for (const record of observations) {
      expect(countWords(record.title!)).toBeLessThanOrEqual(10);
      expect(record.narrative!.length).toBeLessThanOrEqual(1_200);
      expect(record.facts.length).toBeLessThanOrEqual(10);
      for (const { text } of record.facts) expect(text.length).toBeLessThanOrEqual(320);
      expect(record.filesModified.length).toBeLessThanOrEqual(50);
    }
    expect(textOf(summary).length).toBeLessThan(8_000);
  });

  it('creates the same records in every run', () => {
    expect(observe(fields)).toEqual(observe(structuredClone(fields)));
    expect(observe(CART_FIX)).toEqual(observe(structuredClone(CART_FIX)));
  });
});

describe('values of unexpected types', () => {
  const values = [
    null,
    0,
    true,
    '',
    'text',
    [],
    {},
    [[null]],
    { a: { b: [1, { c: null }] } },
    '\u0000\ud800',
    '`**[x](',
    { file_path: 7 },
    { command: ['sh', 3] },
    { questions: [null], edits: 'x' },
    { todos: [{}], file: null, stdout: 5 },
  ];
  const tools = [
    'Edit',
    'Write',
    'MultiEdit',
    'NotebookEdit',
    'Bash',
    'Read',
    'Grep',
    'Glob',
    'Task',
    'TodoWrite',
    'TaskUpdate',
    'AskUserQuestion',
    'ExitPlanMode',
    'WebFetch',
    'apply_patch',
    'shell',
    'mcp__x__get_issue',
    'unknown',
    '',
  ];

  it('does not throw for values of unexpected types', () => {
    for (const toolName of tools) {
      for (const [at, input] of values.entries()) {
        for (const response of [
          input,
          values[(at + 5) % values.length]!,
          values[(at + 9) % values.length]!,
        ]) {
          for (const outcome of ['succeeded', 'failed'] as const) {
            const error = outcome === 'failed' ? String(response) : null;
            const use = { toolName, input, response, outcome, error, cwd: null };
            const text = typeof input === 'string' ? input : 'Done `a.ts`.';
            observe({ prompt: text, toolUses: [use, use], closing: text, session: { projectRoot: null } });
          }
        }
      }
    }
  });
});

it('S07: reads a prompt with a command name of 40,000 blanks', () => {
  const prompt = `<command-name>${' '.repeat(40_000)}x`;
  expect(observe({ ...CART_FIX, prompt }).observations).toHaveLength(1);
});

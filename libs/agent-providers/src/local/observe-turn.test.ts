import type { ObservedToolUse, SummarizePayload } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { createObserverBatch, type ObserverBatchFields } from '../testing/observer-batch.js';
import { observeTurn } from './observe-turn.js';
import { countWords } from './text/count-words.js';

const root = '/home/dev/shop';
type Use = Partial<ObservedToolUse>;

const edit = (path: string, before: string, after: string): Use => ({
  toolName: 'Edit',
  input: { file_path: `${root}/${path}`, old_string: before, new_string: after },
  response: { filePath: `${root}/${path}` },
});
const bash = (command: string, stdout = '', more: Use = {}): Use => ({
  toolName: 'Bash',
  input: { command },
  response: { stdout, stderr: '', interrupted: false },
  ...more,
});
const red = (command: string, error: string): Use => ({
  ...bash(command),
  outcome: 'failed',
  response: null,
  error: `Exit code 1\n${error}`,
});
const read = (path: string, content = ''): Use => ({
  toolName: 'Read',
  input: { file_path: `${root}/${path}` },
  response: { type: 'text', file: { filePath: `${root}/${path}`, content } },
});
const observe = (fields: ObserverBatchFields) => observeTurn(createObserverBatch(fields));
const textOf = (value: unknown) => JSON.stringify(value);
const interrupted: SummarizePayload = { reason: 'interrupted', lastAssistantMessage: null };

const FIX: ObserverBatchFields = {
  prompt: 'The cart shows a wrong total, can you fix it?',
  toolUses: [
    read('src/cart.ts', 'export function totalOf() {}'),
    red('npm test', 'src/cart.ts:12:5: error: expected 0.3, got 0.30000000000000004'),
    edit(
      'src/cart.ts',
      'export function totalOf() {\n  return a + b;\n}',
      'export function totalOf() {\n  return Math.round((a + b) * 100) / 100;\n}',
    ),
    bash('npm test', 'Tests: 12 passed, 12 total'),
  ],
  closing:
    'Perfect! All tests pass.\n\nThe total was wrong because `totalOf()` added floats. Fixed `totalOf()` in `src/cart.ts` to round to cents.\n\nWould you like me to commit this?',
};

describe('a fix', () => {
  const { observations, summary } = observe(FIX);
  const [observation] = observations;

  it('becomes one bugfix that says what happened', () => {
    expect(observations).toHaveLength(1);
    expect(observation?.type).toBe('bugfix');
    expect(observation?.title).toBe('Fixed totalOf() in src/cart.ts to round to cents');
    expect(observation?.filesModified).toEqual(['src/cart.ts']);
    expect(observation?.concepts).toContain('problem-solution');
  });

  it('keeps the cause, the error with its place, and the proof', () => {
    expect(observation?.narrative).toContain('because `totalOf()` added floats');
    expect(textOf(observation?.facts)).toContain('src/cart.ts:12:5: error: expected 0.3');
    expect(textOf(observation?.facts)).toContain('`npm test`: 12 tests passed');
  });

  it('drops an offer that is no question', () => {
    const polite = observe({
      ...FIX,
      closing: 'Fixed `totalOf()` in `src/cart.ts`.\n\nLet me know when `totalOf()` needs more work.',
    });
    expect(textOf(polite.observations)).not.toContain('Let me know');
  });

  it('turns the offer into a next step and drops the politeness', () => {
    expect(summary?.nextSteps).toContain('Would you like me to commit this?');
    expect(textOf(observations)).not.toContain('Perfect');
    expect(textOf(observations)).not.toContain('Would you like');
  });

  it('fills every field of the summary that the turn has something for', () => {
    expect(summary).toMatchObject({ filesEdited: ['src/cart.ts'], filesRead: ['src/cart.ts'] });
    for (const field of ['request', 'investigated', 'learned', 'completed', 'nextSteps'] as const) {
      expect(summary?.[field], field).not.toBeNull();
    }
  });
});

describe('silence', () => {
  it.each([
    [
      'a branch switch',
      {
        prompt: 'back to main',
        toolUses: [bash('git checkout main', "Switched to branch 'main'")],
        closing: 'On `main` now. What would you like to work on?',
      },
    ],
    [
      'a status check',
      {
        prompt: 'status?',
        toolUses: [bash('git status', 'nothing to commit')],
        closing: 'The working tree is clean.',
      },
    ],
    ['a chat', { prompt: 'thanks!', toolUses: [], closing: "You're welcome!" }],
    ['a prompt nobody answered', { prompt: 'hello', toolUses: [], closing: interrupted }],
    ['nothing at all', {}],
  ] as [string, ObserverBatchFields][])('%s leaves nothing', (_, fields) => {
    expect(observe(fields)).toEqual({ observations: [], summary: null });
  });

  it('a commit of earlier work leaves a summary with its id, and no observation', () => {
    const { observations, summary } = observe({
      prompt: 'commit this',
      toolUses: [bash('git commit -m "Round totals"', '[main 1a2b3c4] Round totals\n 1 file changed')],
      closing: 'Committed as `1a2b3c4`.',
    });
    expect(observations).toEqual([]);
    expect(summary?.completed).toContain('1a2b3c4');
  });

  it('gives no summary while the turn still runs', () => {
    const { observations, summary } = observe({ ...FIX, closing: null });
    expect(observations).toHaveLength(1);
    expect(summary).toBeNull();
  });
});

describe('claims without evidence', () => {
  it('B159: a fix that is only announced is none', () => {
    const { observations } = observe({
      prompt: 'Fix the login',
      toolUses: [read('src/login.ts'), read('src/session.ts')],
      closing: 'Fixed the login in `src/login.ts` by checking the session.',
    });
    expect(textOf(observations)).not.toContain('Fixed the login');
    expect(observations.flatMap(({ filesModified }) => filesModified)).toEqual([]);
    expect(observations.map(({ type }) => type)).not.toContain('bugfix');
  });

  it('B160: a commit id that no result shows is dropped, a colour stays', () => {
    const { observations, summary } = observe({
      prompt: 'Change the button colour',
      toolUses: [edit('src/button.css', 'color: red;', 'color: #ff00aa;')],
      closing:
        'Changed the button to `#ff00aa`.\n\nThe old styles went away with commit deadbee1 of the same day.',
    });
    expect(textOf([observations, summary])).toContain('#ff00aa');
    expect(textOf([observations, summary])).not.toContain('deadbee1');
  });

  it('work of an earlier turn is not told again', () => {
    const { observations } = observe({
      ...FIX,
      closing:
        'Fixed `totalOf()` in `src/cart.ts`.\n\n- Added a trace to `src/main.ts`\n- Rounded the total in `src/cart.ts`',
    });
    expect(textOf(observations)).not.toContain('src/main.ts');
    expect(textOf(observations)).toContain('Rounded the total');
  });

  it('says that a file was not written when the permission was missing', () => {
    const { observations, summary } = observe({
      prompt: '/init',
      toolUses: [
        read('package.json'),
        {
          toolName: 'Write',
          input: { file_path: `${root}/CLAUDE.md`, content: '# x' },
          outcome: 'failed',
          error: 'Claude requested permissions to write to CLAUDE.md, but you have not granted it yet.',
        },
      ],
      closing:
        "I've created a `CLAUDE.md` file for this repository. It holds placeholders for the usual commands, since there is nothing to analyze yet, and should be updated as the project develops.",
    });
    expect(observations).toEqual([]);
    expect(summary?.completed).toBe('Nothing was changed.');
    expect(summary?.notes).toContain('`CLAUDE.md` was not written');
  });

  it('a guess stays a guess', () => {
    const { observations } = observe({
      ...FIX,
      closing: `${String(FIX.closing)}\n\nThe slow start is probably caused by \`loadAll()\`.`,
    });
    expect(observations[0]?.narrative).toContain(
      'Not verified: The slow start is probably caused by `loadAll()`',
    );
  });

  it('contradicts a claim that tests pass when the last run failed', () => {
    const { observations } = observe({
      ...FIX,
      toolUses: [...FIX.toolUses!, red('npm test', 'FAIL src/cart.test.ts')],
    });
    expect(textOf(observations)).toContain('still failed at its last run');
    expect(observations[0]?.narrative).toContain('the last run shown did not');
  });

  it('a pass with the changes stashed away is told as none', () => {
    const toolUses = [
      ...FIX.toolUses!.slice(0, 3),
      bash('git stash && npm test', 'Tests: 12 passed, 12 total'),
      bash('git stash pop'),
    ];
    expect(textOf(observe({ ...FIX, toolUses }).observations)).toContain('ran with the changes stashed away');
  });
});

describe('types', () => {
  const typeOf = (fields: ObserverBatchFields) => observe(fields).observations[0]?.type;

  it('a new function that was asked for is a feature', () => {
    const toolUses = [edit('src/cart.ts', 'x', 'x\nexport function applyCoupon() {}')];
    expect(
      typeOf({
        prompt: 'Add coupons to the cart',
        toolUses,
        closing: 'Added `applyCoupon()` to `src/cart.ts`.',
      }),
    ).toBe('feature');
  });

  it('a move is a refactor', () => {
    const toolUses = [bash('git mv src/cart.ts src/cart/index.ts'), bash('npm test', '3 passing')];
    expect(typeOf({ prompt: 'Move the cart into its own folder', toolUses, closing: 'Moved.' })).toBe(
      'refactor',
    );
  });

  it('a document is a change', () => {
    expect(
      typeOf({
        prompt: 'Update the readme',
        toolUses: [edit('README.md', 'old', '## Install\nnew')],
        closing: 'Updated `README.md`.',
      }),
    ).toBe('change');
  });

  it('a question answered by a choice is a decision, with what was refused', () => {
    const questions = [
      {
        question: 'Which database?',
        options: [
          { label: 'SQLite', description: 'one file' },
          { label: 'Postgres', description: 'a server' },
        ],
      },
    ];
    const { observations } = observe({
      prompt: 'Which database should we use?',
      toolUses: [
        {
          toolName: 'AskUserQuestion',
          input: { questions },
          response: { answers: { 'Which database?': 'SQLite' } },
        },
      ],
      closing: interrupted,
    });
    expect(observations[0]?.type).toBe('decision');
    expect(textOf(observations[0]?.facts)).toContain(
      'User chose “SQLite” (Which database?), described as “one file”. Not chosen: Postgres.',
    );
  });

  it('a question that found something is a discovery, from reading', () => {
    const { observations } = observe({
      prompt: 'When is the cart saved?',
      toolUses: [
        read('src/cart.ts', 'function saveCart() {}'),
        {
          toolName: 'Grep',
          input: { pattern: 'saveCart' },
          response: { content: 'src/app.ts:3: saveCart()' },
        },
      ],
      closing:
        '**`saveCart()` runs only when the tab is closed.**\n\nIt is called in `src/app.ts:3` from the unload handler, so a crash loses the cart. `src/cart.ts` has no timer.',
    });
    expect(observations[0]?.type).toBe('discovery');
    expect(observations[0]?.title).toBe('saveCart() runs only when the tab is closed');
    expect(observations[0]?.narrative).toContain('nothing was run or changed');
    expect(observations[0]?.filesModified).toEqual([]);
  });
});

describe('turns without a closing message', () => {
  it('are told from the evidence alone', () => {
    const { observations, summary } = observe({ ...FIX, closing: interrupted });
    expect(observations[0]?.title).toBe('totalOf() changed in cart.ts');
    expect(observations[0]?.narrative).toContain('The turn was interrupted');
    expect(summary?.notes).toContain('The turn was interrupted');
  });

  it('spell out what a prompt of one character picks', () => {
    const { summary } = observe({
      prompt: '7',
      toolUses: [
        read(
          'docs/todos/round.md',
          '---\ntitle: Round all totals\n---\n\n## Problem\n\nCustomers lose a cent.',
        ),
        edit('src/cart.ts', 'a', 'b'),
      ],
      closing: interrupted,
    });
    expect(summary?.request).toBe('7 (`docs/todos/round.md` is titled “Round all totals”)');
  });

  it('B105: a notice of a background task is nobody’s request', () => {
    const { summary } = observe({
      ...FIX,
      prompt: '<task-notification><task-id>b1</task-id></task-notification>',
    });
    expect(textOf(summary)).not.toContain('task-notification');
  });
});

describe('what must not be kept', () => {
  it('slips of the agent’s own tools', () => {
    const slips: Use[] = [
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
      red('npm run lint', '(eval):1: parse error near `('),
      red('cd nowhere && npm test', 'cd: no such file or directory: nowhere'),
    ];
    const text = textOf(observe({ ...FIX, toolUses: [...slips, ...FIX.toolUses!] }));
    expect(text).not.toMatch(/not been read|not found in file|parse error|no such file/);
  });

  it('sample values, secrets, home folders and addresses', () => {
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

describe('any language', () => {
  it.each([
    [
      'Japanese',
      'カートの合計を直して',
      '`totalOf()` を修正しました。小数の誤差が原因でした。\n\n- `src/cart.ts` で合計を丸めるように変更\n\nコミットしますか？',
      '修正',
    ],
    [
      'Chinese',
      '修复购物车总价',
      '已修复 `totalOf()`。原因是浮点误差。\n\n- 在 `src/cart.ts` 中对总价取整\n\n需要我提交吗？',
      '修复',
    ],
    [
      'German',
      'Der Warenkorb zeigt eine falsche Summe',
      '`totalOf()` in `src/cart.ts` korrigiert. Ursache war ein Rundungsfehler bei Gleitkommazahlen.\n\nSoll ich committen?',
      'Ursache',
    ],
    [
      'Russian',
      'Исправь сумму корзины',
      'Исправлена функция `totalOf()` в `src/cart.ts`. Причина была в сложении дробных чисел.\n\nСделать коммит?',
      'Причина',
    ],
  ])('keeps %s as it is', (_, prompt, closing, word) => {
    const { observations, summary } = observe({ ...FIX, prompt, closing });
    expect(observations).toHaveLength(1);
    expect(observations[0]?.type).toBe('bugfix');
    expect(textOf(observations)).toContain(word);
    expect(summary?.request).toBe(prompt);
    expect(textOf(observations)).not.toMatch(/コミットしますか|需要我提交|Soll ich|Сделать коммит/);
    expect(summary?.nextSteps).not.toBeNull();
  });
});

describe('bounds', () => {
  const fields: ObserverBatchFields = {
    prompt: 'x '.repeat(50_000),
    toolUses: Array.from({ length: 300 }, (_, index) =>
      edit(`src/file-${index}.ts`, 'a', `export function made${index}() {}\n`.repeat(20)),
    ),
    closing: `${'Changed `src/file-1.ts` a lot because it had to be. '.repeat(3_000)}\n${'- Added `x()` to `src/file-2.ts`\n'.repeat(3_000)}`,
  };

  it('keeps every field of a record short', () => {
    const { observations, summary } = observe(fields);
    expect(observations.length).toBeLessThanOrEqual(3);
    for (const record of observations) {
      expect(countWords(record.title!)).toBeLessThanOrEqual(10);
      expect(record.narrative!.length).toBeLessThanOrEqual(1_200);
      expect(record.facts.length).toBeLessThanOrEqual(10);
      for (const fact of record.facts) expect(fact.length).toBeLessThanOrEqual(320);
      expect(record.filesModified.length).toBeLessThanOrEqual(50);
    }
    expect(textOf(summary).length).toBeLessThan(8_000);
  });

  it('gives the same records every time', () => {
    expect(observe(fields)).toEqual(observe(structuredClone(fields)));
    expect(observe(FIX)).toEqual(observe(structuredClone(FIX)));
  });
});

describe('odd shapes', () => {
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

  it('are never thrown at', () => {
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
  expect(observe({ ...FIX, prompt }).observations).toHaveLength(1);
});

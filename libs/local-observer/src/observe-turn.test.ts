import type { SummarizePayload } from '@claude-mem/core';
import { bash, CART_FIX, edit, read } from '@claude-mem/evidence/testing';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const observe = (fields: ObserverBatchFields) => observeTurn(createObserverBatch(fields));
const textOf = (value: unknown) => JSON.stringify(value);
const interrupted: SummarizePayload = { reason: 'interrupted', lastAssistantMessage: null };

describe('turn with a fix', () => {
  const { observations, summary } = observe(CART_FIX);
  const [observation] = observations;

  it('creates one bugfix record that describes the change', () => {
    expect(observations).toHaveLength(1);
    expect(observation?.type).toBe('bugfix');
    expect(observation?.title).toBe('Fixed totalOf() in src/cart.ts to round to cents');
    expect(observation?.filesModified).toEqual(['src/cart.ts']);
    expect(observation?.concepts).toContain('problem-solution');
  });

  it('includes the cause, the error with its location, and the passed check', () => {
    expect(observation?.narrative).toContain('because `totalOf()` added floats');
    expect(textOf(observation?.facts)).toContain('src/cart.ts:12:5: error: expected 0.3');
    expect(textOf(observation?.facts)).toContain('`npm test`: 12 tests passed');
  });

  it('excludes an offer that is not a question', () => {
    const polite = observe({
      ...CART_FIX,
      closing: 'Fixed `totalOf()` in `src/cart.ts`.\n\nLet me know when `totalOf()` needs more work.',
    });
    expect(textOf(polite.observations)).not.toContain('Let me know');
  });

  it('moves the offer to the next steps and removes polite phrases', () => {
    expect(summary?.nextSteps).toContain('Would you like me to commit this?');
    expect(textOf(observations)).not.toContain('Perfect');
    expect(textOf(observations)).not.toContain('Would you like');
  });

  it('fills every summary field for which the turn has content', () => {
    expect(summary).toMatchObject({ filesEdited: ['src/cart.ts'], filesRead: ['src/cart.ts'] });
    for (const field of ['request', 'investigated', 'learned', 'completed', 'nextSteps'] as const) {
      expect(summary?.[field], field).not.toBeNull();
    }
  });
});

describe('turns without an observation', () => {
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
  ] as [string, ObserverBatchFields][])('creates no record: %s', (_, fields) => {
    expect(observe(fields)).toEqual({ observations: [], summary: null });
  });

  it('creates a summary with the commit id when a turn only commits earlier work', () => {
    const { observations, summary } = observe({
      prompt: 'commit this',
      toolUses: [bash('git commit -m "Round totals"', '[main 1a2b3c4] Round totals\n 1 file changed')],
      closing: 'Committed as `1a2b3c4`.',
    });
    expect(observations).toEqual([]);
    expect(summary?.completed).toContain('1a2b3c4');
  });

  it('creates no summary when the turn is not over', () => {
    const { observations, summary } = observe({ ...CART_FIX, closing: null });
    expect(observations).toHaveLength(1);
    expect(summary).toBeNull();
  });
});

describe('types of observations', () => {
  const typeOf = (fields: ObserverBatchFields) => observe(fields).observations[0]?.type;

  it('sets the type "feature" when the user requests a new function', () => {
    const toolUses = [edit('src/cart.ts', 'x', 'x\nexport function applyCoupon() {}')];
    expect(
      typeOf({
        prompt: 'Add coupons to the cart',
        toolUses,
        closing: 'Added `applyCoupon()` to `src/cart.ts`.',
      }),
    ).toBe('feature');
  });

  it('sets the type "refactor" when a file is moved', () => {
    const toolUses = [bash('git mv src/cart.ts src/cart/index.ts'), bash('npm test', '3 passing')];
    expect(typeOf({ prompt: 'Move the cart into its own folder', toolUses, closing: 'Moved.' })).toBe(
      'refactor',
    );
  });

  it('sets the type "change" when a document is edited', () => {
    expect(
      typeOf({
        prompt: 'Update the readme',
        toolUses: [edit('README.md', 'old', '## Install\nnew')],
        closing: 'Updated `README.md`.',
      }),
    ).toBe('change');
  });

  it('sets the type "decision" with the rejected options when the user answers a question', () => {
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
      'Chose “SQLite” (Which database?), described as “one file”. Not chosen: Postgres.',
    );
  });

  it('sets the type "discovery" when the turn only reads files to answer a question', () => {
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
    expect(observations[0]?.filesModified).toEqual([]);
  });
});

describe('turns without a closing message', () => {
  it('describes a turn from the evidence when it has no closing message', () => {
    const { observations, summary } = observe({ ...CART_FIX, closing: interrupted });
    expect(observations[0]?.title).toBe('totalOf() changed in cart.ts');
    expect(observations[0]?.narrative).toContain('The turn was interrupted');
    expect(summary?.notes).toContain('The turn was interrupted');
  });

  it('includes the title of the to-do item when the prompt is one character', () => {
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

  it('B105: does not use the notification of a background task as request', () => {
    const { summary } = observe({
      ...CART_FIX,
      prompt: '<task-notification><task-id>b1</task-id></task-notification>',
    });
    expect(textOf(summary)).not.toContain('task-notification');
  });
});

describe('closing messages in other languages', () => {
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
  ])('keeps the text of a closing message in %s', (_, prompt, closing, word) => {
    const { observations, summary } = observe({ ...CART_FIX, prompt, closing });
    expect(observations).toHaveLength(1);
    expect(observations[0]?.type).toBe('bugfix');
    expect(textOf(observations)).toContain(word);
    expect(summary?.request).toBe(prompt);
    expect(textOf(observations)).not.toMatch(/コミットしますか|需要我提交|Soll ich|Сделать коммит/);
    expect(summary?.nextSteps).not.toBeNull();
  });
});

import { bash, edit, type ToolUseFields } from '@claude-mem/evidence/testing';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const observe = (fields: ObserverBatchFields) => observeTurn(createObserverBatch(fields));

describe('title of a fix', () => {
  it('describes the change instead of the symptom', () => {
    const { observations } = observe({
      prompt: 'Mails to customers with an umlaut bounce. Can you fix it?',
      toolUses: [edit('src/mail.ts', 'escape(name)', 'encodeWord(name, charset)')],
      closing:
        'The mails were bouncing because `headerOf` in `src/mail.ts` wrote the name as Latin-1. It now uses `encodeWord(name, charset)`, so every name survives.',
    });
    expect(observations[0]?.title).toBe(
      'headerOf now uses encodeWord(name, charset), so every name survives',
    );
  });

  it('does not replace "it" when two names precede it', () => {
    const { observations } = observe({
      prompt: 'Mails bounce, please fix',
      toolUses: [edit('src/mail.ts', 'escape(name)', 'encodeWord(name, charset)')],
      closing:
        'The mails were bouncing because `headerOf` was called by `sendAll` too early. It now uses `encodeWord(name, charset)`.',
    });
    expect(observations[0]?.title).not.toMatch(/^(?:headerOf|sendAll) now/);
  });
});

describe('title of a change', () => {
  it('excludes edits that are part of every change', () => {
    const { observations } = observe({
      prompt: 'Add logging for failed uploads in src/upload.ts',
      toolUses: [
        edit('src/upload.ts', 'send(file);', "import { log } from './log.js';\nlog.warn(file);\nsend(file);"),
      ],
      closing:
        'Added logging for failed uploads in `src/upload.ts:12-14`.\n\nChanges made:\n1. Added imports for `log` and `path`\n2. Added a `log.warn()` call when `send()` fails',
    });
    expect(observations[0]?.title).toBe('Added logging for failed uploads in src/upload.ts');
  });

  it('uses the first plain statement as title when no statement names the edit', () => {
    const { observations } = observe({
      prompt: 'hm, and what about weekends?',
      toolUses: [edit('src/lanes.ts', 'a', 'b')],
      closing: 'Done. The calendar leaves weekends out of the total.',
    });
    expect(observations[0]?.title).toBe(
      'According to the agent: The calendar leaves weekends out of the total',
    );
  });

  it('ends a title at the end of a clause', () => {
    const titleOf = (closing: string) =>
      observe({ prompt: 'hm', toolUses: [edit('src/cart.ts', 'a', 'applyCoupon()')], closing })
        .observations[0]?.title;
    expect(
      titleOf(
        'Added `applyCoupon()` that verifies every single code against the list of the running campaign.',
      ),
    ).toBe('Added applyCoupon()');
    expect(
      titleOf(
        'Changed both the cart and the checkout to call `applyCoupon()` before the final total is shown.',
      ),
    ).not.toBe('Changed both the cart');
  });
});

describe('several commits in one turn', () => {
  const commit = (id: string, message: string) =>
    bash(`git commit -am "${message}"`, `[main ${id}] ${message}\n 1 file changed`);
  const cart = edit('src/cart.ts', 'total()', 'total(discount)');
  const mail = edit('src/mail.ts', 'plain', 'html');

  it('creates one observation for each commit with the files of the commit', () => {
    const { observations, summary } = observe({
      prompt: 'Do both tickets',
      toolUses: [
        cart,
        commit('a1b2c3d', 'fix: subtract the discount once'),
        mail,
        commit('b2c3d4e', 'feat: send mails as HTML'),
      ],
      closing: 'Both are in. `src/mail.ts` sends HTML. `src/cart.ts` was subtracting the discount twice.',
    });
    expect(observations.map(({ type, title, filesModified }) => [type, title, filesModified])).toEqual([
      ['bugfix', 'Subtract the discount once', ['src/cart.ts']],
      ['feature', 'Send mails as HTML', ['src/mail.ts']],
    ]);
    expect(observations[1]?.narrative).not.toContain('discount');
    expect(summary?.completed).toContain('Subtract the discount once; Send mails as HTML');
  });

  it('creates one observation when the commits change the same file', () => {
    const { observations } = observe({
      prompt: 'Fix the cart',
      toolUses: [
        cart,
        commit('a1b2c3d', 'fix: subtract the discount once'),
        edit('src/cart.ts', 'x', 'y'),
        commit('b2c3d4e', 'fix: round the total'),
      ],
      closing: 'Fixed the cart.',
    });
    expect(observations).toHaveLength(1);
  });
});

describe('title without a matching statement', () => {
  it('uses the heading that names the new part as title', () => {
    const { observations } = observe({
      prompt: "yeah, let's give it a try",
      toolUses: [edit('src/list.ts', 'export function helper() {}', 'const x = 1;')],
      closing:
        'All done.\n\n## New `shop list` Command\n\n**Keys:**\n- `up` - Navigate\n- `c` - Collapse all',
    });
    expect(observations[0]?.title).toBe('New shop list Command');
  });

  it('names the tested function in the title', () => {
    const { observations } = observe({
      prompt: 'can we add a test that applyCoupon does the right thing for every kind of coupon there is?',
      toolUses: [edit('src/cart.test.ts', 'a', 'b')],
      closing: '| Test | What it verifies |\n|---|---|\n| percent | takes ten percent off |',
    });
    expect(observations[0]?.title).toBe('Tests of applyCoupon in cart.test.ts');
  });
});

describe('title from a list of changes', () => {
  const titleOf = (closing: string) =>
    observe({
      prompt: 'hm, and the badge?',
      toolUses: [edit('src/view.ts', 'cap(80)', 'badge(agent)\nwidth(window)')],
      closing,
    }).observations[0]?.title;

  it('joins two short items of the list', () => {
    expect(
      titleOf("I've made these changes:\n\n1. Removed the `cap(80)` call\n2. Added `badge(agent)` to rows"),
    ).toBe('Added badge(agent) to rows; removed the cap(80) call');
  });

  it('uses one item as title when two are too long', () => {
    const closing =
      "I've made these changes:\n\n1. Removed the `cap(80)` call from each row of the list\n2. Added `badge(agent)` to the rows of open checkpoints";
    expect(titleOf(closing)).not.toContain(';');
  });
});

describe('sentence that introduces a list of changes', () => {
  it('uses the sentence as title when the list names the changes of the turn', () => {
    const { observations } = observe({
      prompt: 'we miss the agent in the context of the log',
      toolUses: [edit('src/hooks.ts', 'log()', 'onStop(withAgent())')],
      closing:
        'Added `logger.withAgent(name)` calls to all hook handlers that log:\n\n1. `onStart()` - had an agent already\n2. `onStop()` - added the agent of the session',
    });
    expect(observations[0]?.title).toBe('Added logger.withAgent(name) calls to all hook handlers');
  });
});

describe('title of a turn that changed only tests', () => {
  it('names the tests of the closing message in the title', () => {
    const { observations } = observe({
      prompt: 'do we have tests for these cases?',
      toolUses: [edit('src/resume_test.go', 'a', 'b')],
      closing: 'Added:\n\n1. **`TestResume_Newer`** - a newer log\n2. **`TestResume_Older`** - an older log',
    });
    expect(observations[0]?.title).toBe('TestResume_Newer and 1 more test in resume_test.go');
  });
});

describe('title from the request', () => {
  const titleOf = (prompt: string, closing = 'Done.') =>
    observe({ prompt, toolUses: [edit('src/menu.ts', '1', '2')], closing }).observations[0]?.title;

  it('uses the requested change with its file as title', () => {
    expect(titleOf("let's make the old start button hidden")).toBe(
      'menu.ts: make the old start button hidden',
    );
    expect(titleOf('Could you sort the dishes by their price?')).toBe(
      'menu.ts: sort the dishes by their price',
    );
  });

  it('uses the file with a quotation of the request when the request alone is not clear', () => {
    expect(titleOf('can you fix all 5')).toBe('menu.ts changed: “can you fix all 5”');
    expect(titleOf('do you sort the dishes by their price, and what happens to equal ones?')).toBe(
      'menu.ts changed: “do you sort the dishes by their price, and what happens to …”',
    );
  });

  it('does not list a title as completed work when it only quotes the request', () => {
    const toolUses = [edit('src/menu.ts', '1', '2')];
    const { summary } = observe({ prompt: 'can you fix all 5', toolUses, closing: 'Done.' });
    expect(summary?.completed).toBe('Changed src/menu.ts.');
  });

  it('prefers the request to a list item', () => {
    const closing = 'It has now:\n\n1. Valid entries with `price` and `name`\n2. Sums of `price`';
    expect(titleOf('please sort the dishes by their price', closing)).toBe(
      'menu.ts: sort the dishes by their price',
    );
  });
});

describe('title of a plan', () => {
  it.each([
    ['Round totals late', 'Plan not approved: Round totals late'],
    ['Turn rounding of totals off unless it is set', 'Plan: Turn rounding of totals off unless it is set'],
  ])('names the purpose of the plan in the title: %s', (heading, title) => {
    const plan: ToolUseFields = {
      toolName: 'ExitPlanMode',
      input: { plan: `# Plan: ${heading}\n\n## Goal\nEvery cent counts.` },
      outcome: 'failed',
      error:
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
    };
    const { observations } = observe({ prompt: 'plan it', toolUses: [plan], closing: 'The plan is there.' });
    expect(observations.map((one) => one.title)).toEqual([title]);
  });
});

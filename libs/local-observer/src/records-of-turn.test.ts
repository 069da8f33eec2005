import { bash, edit, PROJECT_ROOT, read, type ToolUseFields } from '@claude-mem/evidence/testing';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const ask = (question: string, answer: string, labels: readonly string[] = []): ToolUseFields => ({
  toolName: 'AskUserQuestion',
  input: {
    questions: [{ question, options: labels.map((label) => ({ label, description: `${label} it is` })) }],
  },
  response: { answers: { [question]: answer } },
});
const observe = (fields: ObserverBatchFields) => observeTurn(createObserverBatch(fields));

describe('choices of the user in a turn with changes', () => {
  const question = 'Where should sessions live?';
  const turn = {
    prompt: 'Where do we keep sessions? Decide with me, then do it.',
    toolUses: [
      ask(question, 'Redis (Recommended)', ['Redis (Recommended)', 'Postgres']),
      edit('src/session.ts', 'memoryStore()', 'redisStore(url)'),
    ],
    closing:
      'Decided: sessions live in Redis, because they must survive a deploy. `src/session.ts` now uses `redisStore(url)`. Old sessions are not migrated.',
  };

  it('creates a separate decision record with the other options and the reason', () => {
    const { observations } = observe(turn);
    expect(observations.map(({ type }) => type)).toEqual(['change', 'decision']);
    const [change, decision] = observations;
    expect(change?.title).toBe('src/session.ts now uses redisStore(url)');
    expect(decision?.title).toBe('Chosen: Redis — Where should sessions live?');
    expect(decision?.narrative).toContain('over “Postgres”');
    expect(decision?.narrative).toContain(
      'According to the agent: sessions live in Redis, because they must survive a deploy',
    );
    expect(decision?.facts.map(({ text }) => text).join('\n')).toMatch(/^Chose “Redis.*Not chosen: Postgres/);
    expect(change?.facts.map(({ text }) => text).join('\n')).not.toContain('Chose “');
  });

  it('adds the reason and the remaining work to the summary', () => {
    const { summary } = observe(turn);
    expect(summary?.learned).toContain('survive a deploy');
    expect(summary?.notes).toContain('Old sessions are not migrated');
  });

  it('creates no decision record when the choice only selects how to continue', () => {
    const { observations } = observe({
      ...turn,
      toolUses: [ask('How would you like to proceed?', 'Go on', ['Go on', 'Stop']), turn.toolUses[1]!],
      closing: '`src/session.ts` now uses `redisStore(url)`.',
    });
    expect(observations.map(({ type }) => type)).toEqual(['change']);
  });
});

describe('questions of the user', () => {
  it('names a discovery after the fault when the answer is a fault', () => {
    const { observations } = observe({
      prompt: 'how would that look on disk?',
      toolUses: [
        read('src/archive.ts', 'const base = pathOf(id);\nwriteAll(base, session);'),
        { toolName: 'Grep', input: { pattern: 'pathOf' }, response: 'src/archive.ts:1' },
      ],
      closing:
        'Looking at the code:\n1. `saveAll()` makes one id for all sessions that are open at that time\n2. `pathOf(id)` gives the same folder to every session, whoever asks for it\n\nThis is a bug - the second archive would overwrite the first one.',
    });
    expect(observations[0]).toMatchObject({
      type: 'discovery',
      title: 'The second archive would overwrite the first one',
    });
  });
});

describe('record type', () => {
  it('sets the type "change" when tests for existing code are added', () => {
    const { observations } = observe({
      prompt: 'Add a test for the discount, please',
      toolUses: [
        edit('src/cart.ts', 'const a = 1;', 'const a = 1;\nexport function cartForTests() {}'),
        edit('src/cart.test.ts', '', "it('subtracts the discount', () => {});"),
      ],
      closing: 'Added a test of the discount.',
    });
    expect(observations[0]?.type).toBe('change');
  });

  it('sets the type "feature" when new files are created and no fault is mentioned', () => {
    const write = (path: string, content: string): ToolUseFields => ({
      toolName: 'Write',
      input: { file_path: `${PROJECT_ROOT}/${path}`, content },
      response: { type: 'create', filePath: `${PROJECT_ROOT}/${path}` },
    });
    const { observations } = observe({
      prompt: "yeah, let's give it a try",
      toolUses: [write('src/list/tree.ts', 'const a = 1;'), write('src/list/view.ts', 'const b = 2;')],
      closing: 'All done.',
    });
    expect(observations[0]?.type).toBe('feature');
  });
});

describe('announcements of the agent', () => {
  it.each([
    'Let me fix the linter errors in `applyCoupon()` first.',
    'Okay, now I will look at how `applyCoupon()` handles the input.',
    'Great! I also need to change `applyCoupon()` for this.',
    "First, let's see where `applyCoupon()` is called.",
  ])('treats an announcement neither as completed work nor as a finding: %s', (closing) => {
    const { observations, summary } = observe({
      prompt: 'hm, and the coupons?',
      toolUses: [edit('src/cart.ts', 'total()', 'applyCoupon()')],
      closing,
    });
    expect(observations.map(({ title }) => title)).toEqual(['total() became applyCoupon() in cart.ts']);
    expect(summary?.learned).toBeNull();
  });

  it('creates no record when the turn contains only an announcement', () => {
    const closing =
      'Let me look at how `applyCoupon()` and `totalOf()` in `src/cart.ts` are called from the checkout, and at what the tests of the whole shop say about it before I change anything at all.';
    expect(observe({ prompt: 'why does the coupon count twice in the cart?', closing })).toEqual({
      observations: [],
      summary: null,
    });
  });

  it('keeps a request to the user next to an announcement', () => {
    const closing = 'Added `applyCoupon()`. Let me know if it is to count twice.';
    const toolUses = [edit('src/cart.ts', 'a', 'applyCoupon()')];
    expect(observe({ prompt: 'hm', toolUses, closing }).observations[0]?.title).toBe('Added applyCoupon()');
  });
});

describe('output in the closing message after edits', () => {
  const factsOf = (closing: string) =>
    observe({
      prompt: 'Please print a check mark for each step',
      toolUses: [edit('src/setup.ts', 'print(step)', 'print(`✓ ${step}`)')],
      closing,
    }).observations[0]?.facts.map(({ text, origin }) => `${origin}: ${text}`);

  it('adds the output as a fact of the agent with the line that introduces it', () => {
    expect(factsOf('The setup will now show:\n\n```\n✓ Hooks installed\n✓ Ready\n```')).toContain(
      'agent: The setup will now show: `✓ Hooks installed`, `✓ Ready`',
    );
  });

  it.each([
    ['source code, which the edits show', 'The setup is now:\n\n```ts\nprint(a);\nprint(b);\n```'],
    ['an example', 'For example, if you have:\n\n```\nmain: A -- B\n```'],
  ])('adds no output as a fact when it is %s', (_, closing) => {
    expect(factsOf(closing)?.join()).not.toMatch(/agent: /);
  });
});

describe('quotations in the closing message after edits', () => {
  it('adds the quotation as a fact with the line that introduces it', () => {
    const { observations } = observe({
      prompt: 'can we make the warning shorter?',
      toolUses: [edit('src/warn.ts', 'old', 'warn(text)')],
      closing: 'Done. The warning now reads:\n\n> Another session is open.\n> Close it first.',
    });
    expect(observations[0]?.facts[0]).toEqual({
      text: 'The warning now reads: “Another session is open. Close it first.”',
      origin: 'agent',
    });
  });
});

describe('tests with a truncated output', () => {
  it('reports the result as unknown next to the statement of the agent', () => {
    const { observations } = observe({
      prompt: 'raise the limit',
      toolUses: [edit('src/a.ts', 'LIMIT = 3', 'LIMIT = 5'), bash('npm test 2>&1 | head -5', 'starting')],
      closing: 'Raised `LIMIT`. All tests pass.',
    });
    expect(observations[0]?.facts).toContainEqual({
      text: '`npm test`: result unknown (the agent reports: “All tests pass”)',
      origin: 'evidence',
    });
  });
});

describe('closing messages about the complete session', () => {
  it('creates no record from a section about other files', () => {
    const { observations } = observe({
      prompt: 'remove dead code from src/env.ts',
      toolUses: [edit('src/env.ts', 'runGit()\nrunAll()', 'runAll()')],
      closing:
        'All of this session:\n\n### 1. Fixed the total of a cart\n**Files**: `cart.ts`\n\n- Fixed `totalOf()` to round to cents\n\n### 2. Removed dead code of the tests\n**Files**: `env.ts`\n\n- Removed the unused `runGit()`',
    });
    expect(observations[0]?.title).toBe('Removed the unused runGit()');
    expect(JSON.stringify(observations)).not.toContain('totalOf');
  });
});

describe('lists of the effects of a change', () => {
  const observed = (closing: string) =>
    observe({
      prompt: 'hm, and dead sessions?',
      toolUses: [edit('src/list.ts', 'all()', 'active(20)')],
      closing,
    }).observations[0];

  it('keeps each alternative of a condition', () => {
    const closing =
      'Now a session is only shown as active if:\n\n1. It is the current one, OR\n2. It has a file in `.state/` and is among the last 20';
    expect(observed(closing)?.facts[0]?.text).toBe(
      'Now a session is only shown as active if: It is the current one, OR; It has a file in `.state/` and is among the last 20',
    );
  });

  it('uses the lead of a list as title when it names the subject', () => {
    const closing = 'Fixed. The list now:\n1. Reads the last 20 with `active()`\n2. Returns them by date';
    expect(observed(closing)?.title).toBe('The list now reads the last 20 with active()');
  });
});

describe('narrative', () => {
  it('keeps the order of the sentences and labels those that only the agent reports', () => {
    const { observations } = observe({
      prompt: 'make the start faster',
      toolUses: [edit('src/start.ts', 'wait()', 'startNow()')],
      closing:
        'Without telemetry the start takes a quarter of a second. The rest is the call of `startNow()`.',
    });
    expect(observations[0]?.narrative).toBe(
      'According to the agent: Without telemetry the start takes a quarter of a second. The rest is the call of `startNow()`.',
    );
  });

  it('ends the narrative with the question of the user', () => {
    const { observations } = observe({
      prompt: 'does the list show the agent of each step?',
      toolUses: [edit('src/view.ts', 'row(step)', 'row(step, agent)')],
      closing: 'The list now shows the `agent` of each step.',
    });
    expect(observations[0]?.narrative).toBe(
      'According to the agent: The list now shows the `agent` of each step. The user asked: “does the list show the agent of each step?”',
    );
  });
});

describe('cause followed by its fix', () => {
  it('uses the fix as title when the cause precedes it', () => {
    const { observations } = observe({
      prompt: 'older orders are not shown, fix it',
      toolUses: [edit('src/list.ts', 'const maxOrders = 50;', 'const maxOrders = 200;')],
      closing:
        'Fixed. The issue was `maxOrders = 50` which left out older orders of the shop. I increased it to 200, so that all of them are found.',
    });
    expect(observations[0]?.title).toMatch(/^Increased maxOrders to 200/);
  });
});

it('reports the result of a check as unknown when neither the exit code nor the output shows it', () => {
  const toolUses = [edit('a.ts', 'a', 'b'), bash('npm test || true')];
  const { observations } = observeTurn(
    createObserverBatch({ prompt: 'Change a.ts', toolUses, closing: 'Done.' }),
  );
  expect(observations[0]?.facts).toContainEqual({ text: '`npm test`: result unknown', origin: 'evidence' });
});

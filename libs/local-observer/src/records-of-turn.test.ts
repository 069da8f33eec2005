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

describe('the title of a fix', () => {
  it('is the change, not the symptom', () => {
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

describe('the title of a change', () => {
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

  it('is the first plain statement when no statement names the edit', () => {
    const { observations } = observe({
      prompt: 'hm, and what about weekends?',
      toolUses: [edit('src/lanes.ts', 'a', 'b')],
      closing: 'Done. The calendar leaves weekends out of the total.',
    });
    expect(observations[0]?.title).toBe(
      'According to the agent: The calendar leaves weekends out of the total',
    );
  });

  it('ends at the end of a clause', () => {
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

describe('a choice of the user in a turn with changes', () => {
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

  it('is a separate decision record with the other options and the reason', () => {
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

  it('has no record when it only selects how to continue', () => {
    const { observations } = observe({
      ...turn,
      toolUses: [ask('How would you like to proceed?', 'Go on', ['Go on', 'Stop']), turn.toolUses[1]!],
      closing: '`src/session.ts` now uses `redisStore(url)`.',
    });
    expect(observations.map(({ type }) => type)).toEqual(['change']);
  });
});

describe('several commits in one turn', () => {
  const commit = (id: string, message: string) =>
    bash(`git commit -am "${message}"`, `[main ${id}] ${message}\n 1 file changed`);
  const cart = edit('src/cart.ts', 'total()', 'total(discount)');
  const mail = edit('src/mail.ts', 'plain', 'html');

  it('produce one observation each, with the files of the commit', () => {
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

  it('produce one observation when they change the same file', () => {
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

describe('a question of the user', () => {
  it('is a discovery named after the fault when the answer is a fault', () => {
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

describe('the record type', () => {
  it('is "change" when tests for existing code are added', () => {
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

  it('is "feature" when new files are created and no fault is mentioned', () => {
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

describe('a title without a matching statement', () => {
  it('is the heading that names the new part', () => {
    const { observations } = observe({
      prompt: "yeah, let's give it a try",
      toolUses: [edit('src/list.ts', 'export function helper() {}', 'const x = 1;')],
      closing:
        'All done.\n\n## New `shop list` Command\n\n**Keys:**\n- `up` - Navigate\n- `c` - Collapse all',
    });
    expect(observations[0]?.title).toBe('New shop list Command');
  });

  it('names the tested function', () => {
    const { observations } = observe({
      prompt: 'can we add a test that applyCoupon does the right thing for every kind of coupon there is?',
      toolUses: [edit('src/cart.test.ts', 'a', 'b')],
      closing: '| Test | What it verifies |\n|---|---|\n| percent | takes ten percent off |',
    });
    expect(observations[0]?.title).toBe('Tests of applyCoupon in cart.test.ts');
  });
});

describe('an announcement of the agent', () => {
  it.each([
    'Let me fix the linter errors in `applyCoupon()` first.',
    'Okay, now I will look at how `applyCoupon()` handles the input.',
    'Great! I also need to change `applyCoupon()` for this.',
    "First, let's see where `applyCoupon()` is called.",
  ])('is neither completed work nor a finding: %s', (closing) => {
    const { observations, summary } = observe({
      prompt: 'hm, and the coupons?',
      toolUses: [edit('src/cart.ts', 'total()', 'applyCoupon()')],
      closing,
    });
    expect(observations.map(({ title }) => title)).toEqual(['total() became applyCoupon() in cart.ts']);
    expect(summary?.learned).toBeNull();
  });

  it('produces no record when the turn contains nothing else', () => {
    const closing =
      'Let me look at how `applyCoupon()` and `totalOf()` in `src/cart.ts` are called from the checkout, and at what the tests of the whole shop say about it before I change anything at all.';
    expect(observe({ prompt: 'why does the coupon count twice in the cart?', closing })).toEqual({
      observations: [],
      summary: null,
    });
  });

  it('does not hide a request to the user', () => {
    const closing = 'Added `applyCoupon()`. Let me know if it is to count twice.';
    const toolUses = [edit('src/cart.ts', 'a', 'applyCoupon()')];
    expect(observe({ prompt: 'hm', toolUses, closing }).observations[0]?.title).toBe('Added applyCoupon()');
  });
});

describe('a title from a list of changes', () => {
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

  it('contains one item when two are too long', () => {
    const closing =
      "I've made these changes:\n\n1. Removed the `cap(80)` call from each row of the list\n2. Added `badge(agent)` to the rows of open checkpoints";
    expect(titleOf(closing)).not.toContain(';');
  });
});

describe('output that the closing message shows after edits', () => {
  const factsOf = (closing: string) =>
    observe({
      prompt: 'Please print a check mark for each step',
      toolUses: [edit('src/setup.ts', 'print(step)', 'print(`✓ ${step}`)')],
      closing,
    }).observations[0]?.facts.map(({ text, origin }) => `${origin}: ${text}`);

  it('is a fact of the agent with the line that introduces it', () => {
    expect(factsOf('The setup will now show:\n\n```\n✓ Hooks installed\n✓ Ready\n```')).toContain(
      'agent: The setup will now show: `✓ Hooks installed`, `✓ Ready`',
    );
  });

  it.each([
    ['source code, which the edits show', 'The setup is now:\n\n```ts\nprint(a);\nprint(b);\n```'],
    ['an example', 'For example, if you have:\n\n```\nmain: A -- B\n```'],
  ])('is no fact when it is %s', (_, closing) => {
    expect(factsOf(closing)?.join()).not.toMatch(/agent: /);
  });
});

describe('a quotation in the closing message after edits', () => {
  it('is a fact with the line that introduces it', () => {
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

describe('the title of a turn that changed only tests', () => {
  it('names the tests of the closing message', () => {
    const { observations } = observe({
      prompt: 'do we have tests for these cases?',
      toolUses: [edit('src/resume_test.go', 'a', 'b')],
      closing: 'Added:\n\n1. **`TestResume_Newer`** - a newer log\n2. **`TestResume_Older`** - an older log',
    });
    expect(observations[0]?.title).toBe('TestResume_Newer and 1 more test in resume_test.go');
  });
});

describe('a turn that ends with an announcement', () => {
  it('lists the announcement as open', () => {
    const { summary } = observe({
      prompt: 'hm, and the branches?',
      toolUses: [edit('src/list.ts', 'all()', 'ofBranch()')],
      closing: 'I also need to read the main branch. Let me update `ofBranch()`.',
    });
    expect(summary?.nextSteps).toBe(
      'The turn ended with: “I also need to read the main branch. Let me update `ofBranch()`”.',
    );
  });
});

describe('commands in a summary', () => {
  const push = (more: Partial<ToolUseFields>): ToolUseFields => ({
    ...bash('git push -u origin topic'),
    ...more,
  });
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

  it('are completed when git changed the repository', () => {
    const { summary } = observe({ prompt: 'push it, please', toolUses: [push({})], closing: 'Pushed.' });
    expect(summary?.completed).toBe('Ran `git push -u origin topic`.');
  });

  it('are not listed when the user refused them', () => {
    const toolUses = [{ ...bash('deploy --now'), outcome: 'failed' as const, error: refusal }, push({})];
    const { summary } = observe({ prompt: 'push it, please', toolUses, closing: 'Pushed.' });
    expect(JSON.stringify(summary)).not.toContain('deploy');
  });
});

describe('tests whose output is cut', () => {
  it('have an unknown result beside what the agent reports', () => {
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

describe('reasons of a recommendation', () => {
  it('stay with the recommendation', () => {
    const { summary } = observe({
      prompt: 'would it not make sense to move this to the paths package?',
      closing:
        'It would make a cycle, because `paths` would have to import `strategy` for the folder of the state, and `strategy` imports `paths`.\n\n**My recommendation:** Keep it in `strategy` for now since:\n- It needs `stateDir()`\n- The folder is a detail of `strategy`',
    });
    expect(summary?.nextSteps).toBeNull();
    expect(summary?.learned).toContain(
      'My recommendation: Keep it in `strategy` for now since: It needs `stateDir()`; The folder is a detail of `strategy`.',
    );
  });
});

describe('a sentence that introduces a list of changes', () => {
  it('is the title when the list names what the turn changed', () => {
    const { observations } = observe({
      prompt: 'we miss the agent in the context of the log',
      toolUses: [edit('src/hooks.ts', 'log()', 'onStop(withAgent())')],
      closing:
        'Added `logger.withAgent(name)` calls to all hook handlers that log:\n\n1. `onStart()` - had an agent already\n2. `onStop()` - added the agent of the session',
    });
    expect(observations[0]?.title).toBe('Added logger.withAgent(name) calls to all hook handlers');
  });
});

describe('a closing message about the whole session', () => {
  it('makes no record of a section about other files', () => {
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

describe('a list of what a change does', () => {
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

  it('is the title when its lead names the subject', () => {
    const closing = 'Fixed. The list now:\n1. Reads the last 20 with `active()`\n2. Returns them by date';
    expect(observed(closing)?.title).toBe('The list now reads the last 20 with active()');
  });
});

describe('the text below a question in a heading', () => {
  it('is an answer, not open work', () => {
    const { summary } = observe({
      prompt: 'could we use the pattern of the id package, or is that a cycle?',
      closing:
        '**Can `strategy` import the `id` package?**\n\nYes, it is safe. The `id` package imports the standard library only, so there is no cycle between it and `strategy`, whatever else `strategy` imports later.',
    });
    expect(summary?.nextSteps).toBeNull();
    expect(summary?.learned).toMatch(/it is safe/i);
  });
});

describe('the narrative', () => {
  it('keeps the order of the sentences and labels those that only the agent says', () => {
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

  it('ends with the question of the user', () => {
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

describe('a title from the request', () => {
  const titleOf = (prompt: string, closing = 'Done.') =>
    observe({ prompt, toolUses: [edit('src/menu.ts', '1', '2')], closing }).observations[0]?.title;

  it('is the requested change with its file', () => {
    expect(titleOf("let's make the old start button hidden")).toBe(
      'menu.ts: make the old start button hidden',
    );
    expect(titleOf('Could you sort the dishes by their price?')).toBe(
      'menu.ts: sort the dishes by their price',
    );
  });

  it('is the file with a quotation of the request when the request is not clear by itself', () => {
    expect(titleOf('can you fix all 5')).toBe('menu.ts changed: “can you fix all 5”');
    expect(titleOf('do you sort the dishes by their price, and what happens to equal ones?')).toBe(
      'menu.ts changed: “do you sort the dishes by their price, and what happens to …”',
    );
  });

  it('is not completed work when it only quotes the request', () => {
    const toolUses = [edit('src/menu.ts', '1', '2')];
    const { summary } = observe({ prompt: 'can you fix all 5', toolUses, closing: 'Done.' });
    expect(summary?.completed).toBe('Changed src/menu.ts.');
  });

  it('is preferred to a list item', () => {
    const closing = 'It has now:\n\n1. Valid entries with `price` and `name`\n2. Sums of `price`';
    expect(titleOf('please sort the dishes by their price', closing)).toBe(
      'menu.ts: sort the dishes by their price',
    );
  });
});

describe('the title of a plan', () => {
  it.each([
    ['Round totals late', 'Plan not approved: Round totals late'],
    ['Turn rounding of totals off unless it is set', 'Plan: Turn rounding of totals off unless it is set'],
  ])('names the purpose of the plan: %s', (heading, title) => {
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

describe('the request in a summary', () => {
  const requestOf = (fields: ObserverBatchFields) =>
    observe({
      promptNumber: 3,
      session: { goal: 'Build the lunch menu of the canteen' },
      toolUses: [bash('git commit -m "wip"', '[main a1b2c3d] wip\n 1 file changed')],
      closing: 'Committed.',
      ...fields,
    }).summary?.request;

  it('includes the topic of the session when the prompt is not clear by itself', () => {
    expect(requestOf({ prompt: 'remove the first two' })).toBe(
      'remove the first two (session: “Build the lunch menu of the canteen”)',
    );
    expect(requestOf({ prompt: null })).toBe('(session: “Build the lunch menu of the canteen”)');
  });

  it('is the prompt when the prompt is clear, or when there is no other topic', () => {
    expect(requestOf({ prompt: 'remove the first two of `menu.json`' })).toBe(
      'remove the first two of `menu.json`',
    );
    const session = { goal: 'remove the first two' };
    expect(requestOf({ prompt: 'remove the first two', session })).toBe('remove the first two');
  });

  it('R14: is null when the user wrote no prompt, and otherwise begins with the prompt of the user', () => {
    const turn = { session: { goal: null }, toolUses: [edit('src/a.ts', 'const t = 1', 'const t = 2')] };
    const { observations, summary } = observe({ ...turn, prompt: null, closing: 'Done.' });
    expect(observations).toHaveLength(1);
    expect(summary?.request).toBeNull();
    expect(summary?.completed).toContain('src/a.ts');
    expect(observe({ ...turn, prompt: 'yes', closing: 'Done.' }).summary?.request).toMatch(/^yes\b/);
  });

  it('is missing with the summary when the prompt only agrees and the turn changes nothing', () => {
    const closing =
      'Before I write it down: the menu is read from a file that somebody else in the canteen keeps, and nobody knows how often it is changed or by whom at the moment.';
    for (const prompt of ['yes and yes', 'ok, go ahead', 'Great, thanks!'])
      expect(observe({ prompt, closing }).summary, prompt).toBeNull();
  });
});

describe('the lesson in a summary', () => {
  it('excludes the title and comments that announce the next step', () => {
    const { summary } = observe({
      prompt: 'hm',
      toolUses: [
        edit('src/cart.ts', 'a', '// Verify that the coupon is only taken off once here\napplyCoupon();'),
      ],
      closing: '`applyCoupon()` now runs once per order.',
    });
    expect(summary?.learned).toBeNull();
  });

  it('is the reason in a code comment when no statement gives a reason', () => {
    const { summary } = observe({
      prompt: 'hm',
      toolUses: [
        edit('src/cart.ts', 'a', '// Rounds late because every tax office rounds the sum\napplyCoupon();'),
      ],
      closing: '`applyCoupon()` now runs once per order.',
    });
    expect(summary?.learned).toContain('every tax office rounds the sum');
  });
});

describe('a cause followed by its fix', () => {
  it('has the fix as title', () => {
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

describe('a file that could not be written', () => {
  it('is not described as if it existed', () => {
    const { summary } = observe({
      prompt: 'write a guide for new people',
      toolUses: [
        {
          toolName: 'Write',
          input: { file_path: `${PROJECT_ROOT}/GUIDE.md`, content: 'x' },
          outcome: 'failed',
          response: null,
          error: 'Claude requested permissions to write to GUIDE.md, but you haven’t granted it yet.',
        },
      ],
      closing:
        'The folder is empty so far. The file includes placeholders for `npm test` and the other commands, because there is no code yet to read them from.',
    });
    expect(summary?.notes).toContain('An edit of `GUIDE.md` was not permitted');
    expect(summary?.learned ?? '').not.toContain('The file includes');
  });
});

it.each([
  [
    'a patch',
    {
      toolName: 'apply_patch',
      input: {
        command:
          '*** Begin Patch\n*** Update File: src/old.ts\n*** Move to: src/new.ts\n@@\n-export const a = 1\n+export const a = 2\n*** Delete File: src/gone.ts\n*** End Patch',
      },
      response: 'Success.',
    },
  ],
  ['a shell command', bash('git mv src/old.ts src/new.ts && rm src/gone.ts', '')],
])(
  'R13: lists the old name of a moved file and a deleted file as changed when %s made the change',
  (_, use) => {
    const { observations, summary } = observe({
      prompt: 'Rename the module',
      toolUses: [use, edit('src/a.ts', "from './old'", "from './new'")],
      closing: 'Renamed the module and removed the old one.',
    });
    const expected = ['src/new.ts', 'src/a.ts', 'src/old.ts', 'src/gone.ts'];
    expect(observations[0]?.filesModified).toEqual(expected);
    expect(summary?.filesEdited).toEqual(expected);
  },
);

import { bash, edit, PROJECT_ROOT, type ToolUseFields } from '@claude-mem/evidence/testing';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const observe = (fields: ObserverBatchFields) => observeTurn(createObserverBatch(fields));

describe('turn that ends with an announcement', () => {
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

  it('lists no promise of the agent to remember something', () => {
    const { summary } = observe({
      prompt: 'From now on we deploy on Fridays only. Please put that into deploy.sh.',
      toolUses: [edit('deploy.sh', '# days: all', '# days: Fridays')],
      closing: 'Done. I will remember that we deploy on Fridays only.',
    });
    expect(summary).not.toBeNull();
    expect(summary?.nextSteps).toBeNull();
  });
});

describe('commands in a summary', () => {
  const push = (more: Partial<ToolUseFields>): ToolUseFields => ({
    ...bash('git push -u origin topic'),
    ...more,
  });
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

  it('lists a git command as completed when it changed the repository', () => {
    const { summary } = observe({ prompt: 'push it, please', toolUses: [push({})], closing: 'Pushed.' });
    expect(summary?.completed).toBe('Ran `git push -u origin topic`.');
  });

  it('does not list a command that the user rejected', () => {
    const toolUses = [{ ...bash('deploy --now'), outcome: 'failed' as const, error: refusal }, push({})];
    const { summary } = observe({ prompt: 'push it, please', toolUses, closing: 'Pushed.' });
    expect(JSON.stringify(summary)).not.toContain('deploy');
  });
});

describe('reasons of a recommendation', () => {
  it('keeps the reasons next to the recommendation', () => {
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

describe('text below a question in a heading', () => {
  it('treats the text as an answer, not as open work', () => {
    const { summary } = observe({
      prompt: 'could we use the pattern of the id package, or is that a cycle?',
      closing:
        '**Can `strategy` import the `id` package?**\n\nYes, it is safe. The `id` package imports the standard library only, so there is no cycle between it and `strategy`, whatever else `strategy` imports later.',
    });
    expect(summary?.nextSteps).toBeNull();
    expect(summary?.learned).toMatch(/it is safe/i);
  });
});

describe('request in a summary', () => {
  const requestOf = (fields: ObserverBatchFields) =>
    observe({
      promptNumber: 3,
      session: { goal: 'Build the lunch menu of the canteen' },
      toolUses: [bash('git commit -m "wip"', '[main a1b2c3d] wip\n 1 file changed')],
      closing: 'Committed.',
      ...fields,
    }).summary?.request;

  it('includes the topic of the session when the prompt alone is not clear', () => {
    expect(requestOf({ prompt: 'remove the first two' })).toBe(
      'remove the first two (session: “Build the lunch menu of the canteen”)',
    );
    expect(requestOf({ prompt: null })).toBe('(session: “Build the lunch menu of the canteen”)');
  });

  it('contains only the prompt when the prompt is clear or the session has no other topic', () => {
    expect(requestOf({ prompt: 'remove the first two of `menu.json`' })).toBe(
      'remove the first two of `menu.json`',
    );
    const session = { goal: 'remove the first two' };
    expect(requestOf({ prompt: 'remove the first two', session })).toBe('remove the first two');
  });

  it('R14: sets the request to null when the user wrote no prompt, and otherwise begins it with the prompt', () => {
    const turn = { session: { goal: null }, toolUses: [edit('src/a.ts', 'const t = 1', 'const t = 2')] };
    const { observations, summary } = observe({ ...turn, prompt: null, closing: 'Done.' });
    expect(observations).toHaveLength(1);
    expect(summary?.request).toBeNull();
    expect(summary?.completed).toContain('src/a.ts');
    expect(observe({ ...turn, prompt: 'yes', closing: 'Done.' }).summary?.request).toMatch(/^yes\b/);
  });

  it('creates no summary when the prompt only agrees and the turn changes nothing', () => {
    const closing =
      'Before I write it down: the menu is read from a file that somebody else in the canteen keeps, and nobody knows how often it is changed or by whom at the moment.';
    for (const prompt of ['yes and yes', 'ok, go ahead', 'Great, thanks!'])
      expect(observe({ prompt, closing }).summary, prompt).toBeNull();
  });
});

describe('findings in a summary', () => {
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

  it('uses the reason in a code comment when no statement gives a reason', () => {
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

describe('files that could not be written', () => {
  it('does not describe an unwritten file as if it existed', () => {
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

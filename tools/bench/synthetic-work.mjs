// Generates a session of any length whose turns are similar, so that the cost depends only on the length.
import { claudePayloads } from '@claude-mem/testing';

export const CALLS_PER_TURN = 10;

/**
 * Creates the events of a session.
 * @param toolUses a multiple of CALLS_PER_TURN
 */
export function syntheticWork({ cwd, sessionId, toolUses }) {
  const payloads = claudePayloads({ cwd, sessionId });
  const events = [{ event: 'SessionStart', payload: payloads.sessionStart() }];
  for (let turn = 1; turn <= toolUses / CALLS_PER_TURN; turn += 1) {
    // The offset gives the numbers of all turns the same number of digits.
    const part = `part-${100 + turn}`;
    events.push({ event: 'UserPromptSubmit', payload: payloads.prompt(promptOf(part)) });
    for (const [event, payload] of toolEvents(payloads, cwd, part)) events.push({ event, payload });
    events.push({ event: 'Stop', payload: payloads.stop(closingOf(part)) });
  }
  return [...events, { event: 'SessionEnd', payload: payloads.sessionEnd() }];
}

const promptOf = (part) =>
  `The limit of ${part} is read twice, and the second time it ignores the settings file. Please find out why, read it once, and add a test that fails without the change.`;

const closingOf = (part) =>
  `The limit of ${part} was read again by its renderer, which had its own default. It now takes the value that the loader has read. The new test fails without the change and passes with it; the other tests of ${part} still pass.`;

function toolEvents(payloads, cwd, part) {
  const file = `${cwd}/src/${part}/read-limit.ts`;
  const renderer = `${cwd}/src/${part}/render-limit.ts`;
  const test = `${cwd}/src/${part}/read-limit.test.ts`;
  const use = (name, input, response) => ['PostToolUse', payloads.toolUse({ name, input, response })];
  const bash = (command, stdout) =>
    use('Bash', { command, description: 'Run the tests' }, { stdout, stderr: '', interrupted: false });
  const edit = (filePath, oldString, newString) =>
    use(
      'Edit',
      { file_path: filePath, old_string: oldString, new_string: newString },
      { filePath, oldString, newString },
    );
  return [
    use(
      'Grep',
      { pattern: `limit of ${part}`, path: cwd },
      { mode: 'files_with_matches', filenames: [file, renderer] },
    ),
    use('Read', { file_path: file }, { type: 'text', file: { filePath: file, content: sourceOf(part, 60) } }),
    use(
      'Read',
      { file_path: renderer },
      { type: 'text', file: { filePath: renderer, content: sourceOf(part, 90) } },
    ),
    use(
      'Write',
      { file_path: test, content: testOf(part) },
      { type: 'create', filePath: test, content: testOf(part) },
    ),
    [
      'PostToolUseFailure',
      payloads.toolFailure({
        name: 'Bash',
        input: { command: `npm test -- ${part}`, description: 'Run the tests' },
        error: `Exit code 1\n${outputOf(part, 25)}\nAssertionError: expected 20 to be 50`,
      }),
    ],
    edit(renderer, 'const limit = settings.limit ?? 20;', 'const { limit } = loaded;'),
    edit(file, sourceOf(part, 6), sourceOf(part, 9)),
    bash(`npm test -- ${part}`, outputOf(part, 40)),
    use(
      'Read',
      { file_path: renderer },
      { type: 'text', file: { filePath: renderer, content: sourceOf(part, 90) } },
    ),
    bash('npm test', outputOf(part, 120)),
  ];
}

const lines = (count, line) => Array.from({ length: count }, (_, index) => line(100 + index)).join('\n');
const sourceOf = (part, count) =>
  lines(count, (n) => `  const value${n} = readSetting('${part}', settings, ${n}); // keeps its order`);
const outputOf = (part, count) => lines(count, (n) => ` ✓ ${part} > reads the limit of case ${n} once`);
const testOf = (part) =>
  lines(12, (n) => `it('reads limit ${n} of ${part} once', () => expect(readLimit(${n})).toBe(${n}));`);

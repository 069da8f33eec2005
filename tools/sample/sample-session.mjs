// A small synthetic Claude Code session in a web shop, as hook payloads.

const SESSION = '5a3b1e00-0000-4000-8000-000000000001';

/** @returns [{ event, payload }] in the order in which a host sends them, for a project in `folder` */
export function sampleSession(folder) {
  const file = (name) => `${folder}/${name}`;
  let calls = 0;
  let prompt = 0;
  const base = () => ({
    session_id: SESSION,
    transcript_path: file('transcript.jsonl'),
    cwd: folder,
    ...(prompt > 0 && { prompt_id: `sample-prompt-${prompt}` }),
  });
  const on = (event, fields) => ({ event, payload: { ...base(), hook_event_name: event, ...fields } });
  const ask = (text) => {
    prompt += 1;
    return on('UserPromptSubmit', { prompt: text });
  };
  const call = (tool_name, tool_input) => {
    calls += 1;
    return { tool_name, tool_input, tool_use_id: `toolu_sample_${calls}` };
  };
  const used = (tool_name, tool_input, tool_response) =>
    on('PostToolUse', { ...call(tool_name, tool_input), tool_response });
  const failed = (tool_name, tool_input, error) =>
    on('PostToolUseFailure', { ...call(tool_name, tool_input), error, is_interrupt: false });
  const read = (name, content) => used('Read', { file_path: file(name) }, readResponse(file(name), content));
  const edit = (name, old_string, new_string) =>
    used(
      'Edit',
      { file_path: file(name), old_string, new_string },
      { filePath: file(name), oldString: old_string, newString: new_string, originalFile: old_string },
    );
  const ran = (command, stdout) =>
    used('Bash', { command }, { stdout, stderr: '', interrupted: false, isImage: false });
  const answered = (text) => on('Stop', { stop_hook_active: false, last_assistant_message: text });

  return [
    on('SessionStart', { source: 'startup' }),
    ask('Orders placed in the evening do not show up when I filter the list by day. Can you fix it?'),
    read('src/orders/filter-by-day.ts', FILTER_BEFORE),
    failed(
      'Bash',
      { command: 'npm test -- filter-by-day' },
      "Exit code 1\nFAIL src/orders/filter-by-day.test.ts\n  ✗ keeps an order of 23:30 local time\n    AssertionError: expected [] to include 'order-17'\n      at src/orders/filter-by-day.test.ts:21:18\nTests  1 failed | 4 passed (5)",
    ),
    edit('src/orders/filter-by-day.ts', 'startOfUtcDay(day)', 'startOfDay(day, shop.timeZone)'),
    edit(
      'src/orders/filter-by-day.ts',
      "import { startOfUtcDay } from '../time.js';",
      "import { startOfDay } from '../time.js';",
    ),
    ran('npm test -- filter-by-day', ' ✓ src/orders/filter-by-day.test.ts (5 tests)\nTests  5 passed (5)'),
    answered(
      "The evening orders were missing because `filterByDay` in `src/orders/filter-by-day.ts` cut the day in UTC, while orders are listed in the shop's own time zone. It now uses `startOfDay(day, shop.timeZone)`, so an order of 23:30 in Berlin stays on its day. All 5 tests of the filter pass. The monthly report in `src/reports/monthly.ts` still cuts in UTC; I left it alone. Should I change the report as well?",
    ),
    ask('Yes, but let us decide first: convert everything to UTC in the database, or keep local dates?'),
    read('src/reports/monthly.ts', 'export const monthly = (orders) => groupBy(orders, utcMonth);\n'),
    used(
      'AskUserQuestion',
      { questions: [{ question: 'How should the report find the month of an order?', header: 'Month' }] },
      {
        questions: [{ question: 'How should the report find the month of an order?' }],
        answers: {
          'How should the report find the month of an order?':
            'Keep UTC in the database, convert when reading',
        },
      },
    ),
    edit(
      'src/reports/monthly.ts',
      'groupBy(orders, utcMonth)',
      'groupBy(orders, (order) => monthIn(order.placedAt, shop.timeZone))',
    ),
    ran('npm test', ' ✓ 14 test files\nTests  86 passed (86)'),
    answered(
      'Decided: times stay UTC in the database and are converted on reading, because three other services read the same table. `src/reports/monthly.ts` now groups with `monthIn(order.placedAt, shop.timeZone)`. All 86 tests pass. Reports that were already sent are not corrected. Next: run the report for October once more and compare.',
    ),
    on('SessionEnd', { reason: 'prompt_input_exit' }),
  ];
}

const FILTER_BEFORE = `import { startOfUtcDay } from '../time.js';

export function filterByDay(orders, day, shop) {
  const from = startOfUtcDay(day);
  return orders.filter((order) => order.placedAt >= from && order.placedAt < from + 86_400_000);
}
`;

function readResponse(filePath, content) {
  const lines = content.split('\n').length - 1;
  return { type: 'text', file: { filePath, content, numLines: lines, startLine: 1, totalLines: lines } };
}

import { expect, it } from 'vitest';
import { addHooks, removeHooks, type HookEntry, type HooksLayout } from './hooks-text.js';

const isOwn = (command: string) => / a-host \w+ # claude-mem hook$/.test(command);
const commandOf = (event: string) => `sh '/o'\\''pt/hook.sh' a-host ${event} # claude-mem hook`;
const entriesOf = (write: (command: string) => object): HookEntry[] =>
  ['SessionStart', 'PostToolUse', 'Stop'].map((event) => ({ event, value: write(commandOf(event)) }));

const layouts: [string, HooksLayout, HookEntry[]][] = [
  [
    'groups',
    { groupedUnder: 'hooks', isOwn },
    entriesOf((command) => ({ matcher: '*', hooks: [{ type: 'command', command, timeout: 10 }] })),
  ],
  ['commands and a version', { version: 1, isOwn }, entriesOf((command) => ({ command, timeout: 10 }))],
];

/** The same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** JSON with random white space. */
function scribble(value: unknown, random: (below: number) => number): string {
  const space = () => ['', '', ' ', '\n', '\t', '\r\n  ', '\n\n    '][random(7)];
  const write = (item: unknown): string => {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const parts = Array.isArray(item)
      ? item.map((each) => `${space()}${write(each)}${space()}`)
      : Object.entries(item).map(
          ([key, each]) => `${space()}${JSON.stringify(key)}${space()}:${space()}${write(each)}${space()}`,
        );
    const inner = parts.length === 0 ? space() : parts.join(',');
    return Array.isArray(item) ? `[${inner}]` : `{${inner}}`;
  };
  return `${space()}${write(value)}${space()}`;
}

function randomSettings(random: (below: number) => number): Record<string, unknown> {
  const group = { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "a, b]}" # claude-mem hook' }] };
  const groups = () => [[], [group], [group, group], [{ hooks: [] }], [{}, null, 5]][random(5)];
  const events = ['SessionStart', 'PostToolUse', 'Stop', 'Notification'].filter(() => random(2) === 0);
  const hooks = Object.fromEntries(events.map((event) => [event, groups()]));
  const settings = { 1: [], model: 'a "quoted" {text}', hooks, permissions: { allow: [1.5e3, { a: [] }] } };
  return Object.fromEntries(Object.entries(settings).filter(() => random(3) > 0));
}

it.each(layouts)('B034: removing added hooks restores the exact text, %s', (_, layout, entries) => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomFrom(seed);
    const settings = randomSettings(random);
    const before = scribble(settings, random);
    const added = addHooks(before, entries, layout);
    if ('problem' in added) throw new Error(added.problem);
    const { hooks } = JSON.parse(added.text) as { hooks: Record<string, unknown[]> };
    for (const { event, value } of entries) expect(hooks[event]?.at(-1)).toEqual(value);
    const removed = removeHooks(added.text, layout);
    expect(removed, `seed ${seed}: ${JSON.stringify(before)}`).toEqual({
      text: before,
      removed: expect.arrayContaining(entries.map(({ event }) => ({ event, command: commandOf(event) }))),
    });
  }
});

it.each(layouts)(
  'removing hooks from a minified file restores the original settings, %s',
  (_, layout, entries) => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const settings = randomSettings(randomFrom(seed));
      const added = addHooks(JSON.stringify(settings), entries, layout);
      if ('problem' in added) throw new Error(added.problem);
      const removed = removeHooks(JSON.stringify(JSON.parse(added.text)), layout);
      if ('problem' in removed) throw new Error(removed.problem);
      const left = JSON.parse(removed.text ?? '{}') as { hooks?: Record<string, unknown[]> };
      const withoutEmpty = (hooks: Record<string, unknown[]> = {}) =>
        Object.fromEntries(Object.entries(hooks).filter(([, groups]) => groups.length > 0));
      expect({ ...left, hooks: withoutEmpty(left.hooks) }).toEqual({
        ...settings,
        ...(layout.version === undefined ? {} : { version: layout.version }),
        hooks: withoutEmpty(settings['hooks'] as Record<string, unknown[]>),
      });
    }
  },
);

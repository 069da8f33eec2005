/** The captured events. Timeouts are in milliseconds, like in the host. */
export const GEMINI_CLI_HOOKS = [
  { event: 'SessionStart', timeout: 15_000 },
  { event: 'BeforeAgent', timeout: 10_000 },
  { event: 'AfterTool', matcher: '*', timeout: 10_000 },
  { event: 'AfterAgent', timeout: 10_000 },
  { event: 'SessionEnd', timeout: 5_000 },
] as const;

/** Why other known events are not captured. */
export const IGNORED_EVENTS: Readonly<Record<string, string>> = {
  BeforeTool: 'the result of a tool is captured, not its announcement',
  BeforeModel: 'requests to the model are no work',
  BeforeToolSelection: 'requests to the model are no work',
  AfterModel: 'answers of the model come with the end of the turn',
  PreCompress: 'compaction changes nothing that happened, and this comes before every request',
  Notification: 'is for the person only',
};

/** All hook events that the adapter handles or ignores. */
export const GEMINI_CLI_EVENTS: readonly string[] = [
  ...GEMINI_CLI_HOOKS.map(({ event }) => event),
  ...Object.keys(IGNORED_EVENTS),
];

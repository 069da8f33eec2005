/** The captured events. Timeouts are in seconds, like in the host. */
export const CURSOR_HOOKS = [
  { event: 'sessionStart', timeout: 15 },
  { event: 'beforeSubmitPrompt', timeout: 10 },
  { event: 'postToolUse', timeout: 10 },
  { event: 'postToolUseFailure', timeout: 10 },
  { event: 'afterAgentResponse', timeout: 10 },
  { event: 'stop', timeout: 10 },
  { event: 'sessionEnd', timeout: 5 },
] as const;

const SAME_CALL = 'postToolUse reports the same call, with its id';

/**
 * Why other known events are not captured. The generic tool events fire for every tool. The events for shell, MCP and
 * file edits fire for the same call without its id, so capturing both would store each call twice.
 */
export const IGNORED_EVENTS: Readonly<Record<string, string>> = {
  afterShellExecution: SAME_CALL,
  afterMCPExecution: SAME_CALL,
  afterFileEdit: SAME_CALL,
  preToolUse: 'the result of a tool is captured, not its announcement',
  beforeShellExecution: 'the result of a tool is captured, not its announcement',
  beforeMCPExecution: 'the result of a tool is captured, not its announcement',
  beforeReadFile: 'the result of a tool is captured, not its announcement',
  afterAgentThought: "is the agent's own",
  subagentStart: "a sub-agent's start is part of the turn",
  subagentStop: "a sub-agent's end is no end of the turn",
  preCompact: 'compaction changes nothing that happened',
  beforeTabFileRead: 'completions belong to no conversation',
  afterTabFileEdit: 'completions belong to no conversation',
  workspaceOpen: 'happens outside a session',
};

/** All hook events that the adapter knows. */
export const CURSOR_EVENTS: readonly string[] = [
  ...CURSOR_HOOKS.map(({ event }) => event),
  ...Object.keys(IGNORED_EVENTS),
];

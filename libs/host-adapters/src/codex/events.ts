import { SUBAGENT_END } from '../read-turn-end.js';

/** The captured events. Timeouts are in seconds, like in the host, which allows at most 3 for the end of a session. */
export const CODEX_HOOKS = [
  { event: 'SessionStart', timeout: 15 },
  { event: 'UserPromptSubmit', timeout: 10 },
  { event: 'PostToolUse', timeout: 10 },
  { event: 'Stop', timeout: 10 },
  { event: 'SessionEnd', timeout: 3 },
] as const;

/** Why other known events are not captured. */
export const IGNORED_EVENTS: Readonly<Record<string, string>> = {
  PreToolUse: 'the result of a tool is captured, not its announcement',
  PermissionRequest: 'only results are captured',
  SubagentStart: "a sub-agent's start is part of the turn",
  SubagentStop: SUBAGENT_END,
  PreCompact: 'compaction changes nothing that happened',
  PostCompact: 'compaction changes nothing that happened',
};

/** All hook events that the adapter knows. */
export const CODEX_EVENTS: readonly string[] = [
  ...CODEX_HOOKS.map(({ event }) => event),
  ...Object.keys(IGNORED_EVENTS),
];

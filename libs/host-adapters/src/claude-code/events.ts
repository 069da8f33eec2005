/**
 * The captured events, with the host configuration of each. Timeouts are in seconds, like in the host. `since` is the
 * first version with the event, because older ones reject the complete settings file. `argument` is the name that the
 * hook gets when it differs from the event.
 */
export const CLAUDE_CODE_HOOKS = [
  { event: 'SessionStart', matcher: 'startup|resume|clear|compact|fork', timeout: 15 },
  { event: 'UserPromptSubmit', timeout: 10 },
  { event: 'PostToolUse', matcher: 'Read', argument: 'FileRead', timeout: 10 },
  { event: 'PostToolUse', matcher: '^(?!Read$)', timeout: 10 },
  { event: 'PostToolUseFailure', matcher: '*', timeout: 10, since: '2.0.56' },
  { event: 'Stop', timeout: 10 },
  { event: 'SubagentStop', timeout: 10, since: '1.0.41' },
  { event: 'PreCompact', timeout: 5, since: '1.0.48' },
  { event: 'SessionEnd', timeout: 5 },
] as const;

/** Event names of hooks that request a response to a tool result, with the event name of the host. */
export const ANSWERED_TOOL_EVENTS: Readonly<Record<string, string>> = {
  FileRead: 'PostToolUse',
  ToolResult: 'PostToolUse',
  ToolFailure: 'PostToolUseFailure',
};

/** Why other known events are not captured. */
export const IGNORED_EVENTS: Readonly<Record<string, string>> = {
  PreToolUse: 'the result of a tool is captured, not its announcement',
  PostToolBatch: 'each tool of a batch comes on its own',
  SubagentStart: "a sub-agent's start is part of the turn",
  StopFailure: 'a turn that failed is closed by what comes next',
  PostCompact: 'compaction changes nothing that happened',
  UserPromptExpansion: 'the prompt itself comes on its own',
  Notification: 'is for the person only',
  MessageDisplay: 'is for the person only',
  PermissionRequest: 'only results are captured',
  PermissionDenied: 'only results are captured',
  Setup: 'happens outside a session',
  InstructionsLoaded: "the host's own instructions are no memory",
  PreModelSwitch: 'is no work',
  PostModelSwitch: 'is no work',
  CwdChanged: 'every event carries its folder',
  DirectoryAdded: 'every event carries its folder',
  FileChanged: 'is not what the session did',
  ConfigChange: 'is not what the session did',
  WorktreeCreate: 'every event carries its folder',
  WorktreeRemove: 'every event carries its folder',
  TaskCreated: "is the host's own bookkeeping",
  TaskCompleted: "is the host's own bookkeeping",
  TeammateIdle: "is the host's own bookkeeping",
  Elicitation: 'only results are captured',
  ElicitationResult: 'only results are captured',
};

/** All hook events that the adapter knows. */
export const CLAUDE_CODE_EVENTS: readonly string[] = [
  ...new Set([
    ...CLAUDE_CODE_HOOKS.map((hook) => ('argument' in hook ? hook.argument : hook.event)),
    ...Object.keys(ANSWERED_TOOL_EVENTS),
  ]),
  ...Object.keys(IGNORED_EVENTS),
];

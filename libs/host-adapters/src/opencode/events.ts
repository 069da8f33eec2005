/** Events that our plugin reports. The host has no hooks, so the names are ours. */
export const OPENCODE_EVENTS = [
  'sessionStart',
  'chatMessage',
  'toolExecuted',
  'toolFailed',
  'sessionIdle',
  'sessionDeleted',
] as const;

export type { ObserverMode } from './observer-mode.js';
export type { ParseIssue, ParseIssueCode } from './parse-issue.js';
export { readObserverReply, type ReadReply } from './read-observer-reply.js';
export type { Verbosity } from './verbosity.js';
export {
  writeObserverPrompt,
  type ObserverPrompt,
  type ObserverPromptOptions,
} from './write-observer-prompt.js';
export { writeObserverReply } from './write-observer-reply.js';

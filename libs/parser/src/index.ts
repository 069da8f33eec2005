export type { ParseIssue, ParseIssueCode } from './parse-issue.js';
export { readObserverReply, type ReadReply } from './read-observer-reply.js';
export {
  writeObserverPrompt,
  type ObserverMode,
  type ObserverPrompt,
  type ObserverPromptOptions,
} from './write-observer-prompt.js';
export { writeObserverReply } from './write-observer-reply.js';

export { chooseStatements, type ChooseOptions } from './choose-statements.js';
export { draftConversationRecord } from './draft-conversation-record.js';
export { findReplaced } from './find-replaced.js';
export { formatStatement } from './format-statement.js';
export { readConversation } from './read-conversation.js';
export type { ReadConversation } from './read-statements.js';
export type { Statement } from './statement.js';

export type {
  AgentProvider,
  AgentProviderCapabilities,
  Conversation,
  ObserverReply,
  ObserverRequest,
  StartConversationOptions,
} from './agent-provider.js';
export { NO_USAGE } from './no-usage.js';
export {
  PROVIDER_FAILURES,
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorOptions,
  type ProviderFailure,
} from './provider-error.js';
export { changedFiles } from './evidence/changed-files.js';
export { evidenceOf, type TurnEvidence } from './evidence/evidence-of.js';
export { readEvidence, type ReadEvidenceOptions } from './evidence/read-evidence.js';
export { openFailures } from './local/open-failures.js';
export { requestOfUser } from './local/read-request.js';
export { isEvidenceOnly } from '@claude-mem/core';
export {
  createProviderChain,
  type ProviderAttempt,
  type ProviderChain,
  type ProviderChainOptions,
  type ProviderState,
} from './fallback/create-provider-chain.js';
export { PROVIDER_ROWS, type ProviderRow } from './provider-rows.js';
export { estimateCost, type PricedTokens } from './model/estimate-cost.js';
export { failureInProse } from './model/failure-in-prose.js';
export type { CallTimeouts } from './model/call-within.js';
export {
  createConversations,
  type ConversationReply,
  type Conversations,
  type ConversationsOptions,
  type ObservedSession,
} from './conversations/create-conversations.js';

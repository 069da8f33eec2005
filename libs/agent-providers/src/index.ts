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
export {
  createProviderChain,
  type ProviderAttempt,
  type ProviderChain,
  type ProviderChainOptions,
} from './fallback/create-provider-chain.js';
export type { ProviderState } from './fallback/provider-state.js';
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

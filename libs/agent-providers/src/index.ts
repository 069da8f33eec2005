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
export { evidenceOf, type TurnEvidence } from './evidence/evidence-of.js';
export { isEvidenceOnly } from './evidence/is-evidence-only.js';

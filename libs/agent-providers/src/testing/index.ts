export { describeAgentProvider, type AgentProviderHarness } from './describe-agent-provider.js';
export {
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptStep,
} from './create-scripted-provider.js';
export { createObserverBatch, type ObserverBatchFields } from './observer-batch.js';

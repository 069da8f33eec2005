export { createClaudeCodeProvider, type ClaudeCodeProviderOptions } from './create-claude-code-provider.js';
export { findClaudeCode, type FindClaudeCodeOptions } from './find-claude-code.js';
export { loadAgentSdk, type LoadAgentSdkOptions } from './load-agent-sdk.js';

export { createClaudeProvider, type ClaudeProviderOptions } from './create-claude-provider.js';

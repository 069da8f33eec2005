export { createOpenRouterProvider, type OpenRouterProviderOptions } from './create-openrouter-provider.js';

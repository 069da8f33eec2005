export { createGeminiProvider, type GeminiProviderOptions } from './create-gemini-provider.js';

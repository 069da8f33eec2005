export {
  createOpenAiCompatibleProvider,
  type OpenAiCompatibleProviderOptions,
} from './create-openai-compatible-provider.js';

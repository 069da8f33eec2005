export { createLocalProvider, type LocalProviderOptions } from './create-local-provider.js';

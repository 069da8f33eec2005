export { createLocalProvider, type LocalProviderOptions } from './create-local-provider.js';
export { openFailures } from './open-failures.js';
export { requestOfUser } from './read-request.js';

// These functions are not exported by index.ts. A bundle that imports them statically would load the provider at
// startup instead of on first use.
export { listOpenFailures } from './list-open-failures.js';
export { readUserRequest } from './read-request.js';

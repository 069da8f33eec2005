// not in index.ts: a bundle that imports these functions statically would no longer load the provider on first use
export { openFailures } from './open-failures.js';
export { requestOfUser } from './read-request.js';

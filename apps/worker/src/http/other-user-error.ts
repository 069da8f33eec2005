import { WorkerError } from '../worker-error.js';

/** Another user of this machine came with the token, a cookie or a code. */
export function otherUserError(): WorkerError {
  return new WorkerError('worker/forbidden', 'This is the memory of another user of this machine.');
}

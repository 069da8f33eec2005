import { WorkerError } from '../worker-error.js';

/** A request of another user of this machine with a valid token, cookie or code. */
export function otherUserError(): WorkerError {
  return new WorkerError('worker/forbidden', 'This is the memory of another user of this machine.');
}

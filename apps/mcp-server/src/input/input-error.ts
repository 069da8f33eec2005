/** An invalid argument. The agent reads the message. */
export class InputError extends Error {}

/** What an argument must be, in words for the agent that wrote it. */
export class InputError extends Error {}

import { ANSWER_CASES } from './cases/answers.js';
import { BROKEN_CASES } from './cases/broken.js';
import { REFUSAL_CASES } from './cases/refusals.js';
import { REQUEST_CASES } from './cases/requests.js';
import { WAITING_CASES } from './cases/waiting.js';
import type { WireCase } from './wire-case.js';

/** All requirements of providers that use HTTP, in the order of the docs. */
export const WIRE_CASES: readonly WireCase[] = [
  ...ANSWER_CASES,
  ...REQUEST_CASES,
  ...WAITING_CASES,
  ...BROKEN_CASES,
  ...REFUSAL_CASES,
];

import type { WireHarness } from './open-wire-setup.js';

/** One requirement of providers that use HTTP. Its title names it in the tests and in the docs. */
export interface WireCase {
  title: string;
  run: (harness: WireHarness) => Promise<void>;
}

import type { WireHarness } from './open-scene.js';

/** One promise of a provider that talks to a vendor. The title is its name: in the tests and in the docs. */
export interface WireCase {
  title: string;
  run: (harness: WireHarness) => Promise<void>;
}

import { describe } from 'vitest';
import { claimRules } from './claim-rules.js';
import { dropRules } from './drop-rules.js';
import { listRules } from './list-rules.js';
import { parkRules } from './park-rules.js';
import { recoverClaimsRules } from './recover-claims-rules.js';
import { releaseRules } from './release-rules.js';
import { renewRules } from './renew-rules.js';
import { retryRules } from './retry-rules.js';
import { useSuiteContext, type OpenPendingMessages, type SuiteContext } from './suite-context.js';
import { waitingTurnsRules } from './waiting-turns-rules.js';

const RULES: Record<string, (context: SuiteContext) => void> = {
  waitingTurns: waitingTurnsRules,
  claim: claimRules,
  renew: renewRules,
  release: releaseRules,
  park: parkRules,
  recoverClaims: recoverClaimsRules,
  'list and counts': listRules,
  retry: retryRules,
  drop: dropRules,
};

/**
 * The conformance suite of `PendingMessages`. `open` creates an empty instance for each test. For a `Store`, take
 * `seed` and `confirm` from `seedThroughStore`.
 */
export function describePendingMessages(name: string, { open }: { open: OpenPendingMessages }): void {
  describe(`PendingMessages: ${name}`, () => {
    for (const [title, addRules] of Object.entries(RULES))
      describe(title, () => addRules(useSuiteContext(open)));
  });
}

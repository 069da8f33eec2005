import type { UsageLimits } from '@claude-mem/core';
import type { Settings } from './setting-definitions.js';

/** The ceilings a person set on the observer. */
export function usageLimitsOf({
  budgetDayCalls,
  budgetDayTokens,
  budgetDayUsd,
  budgetSessionTokens,
}: Settings): UsageLimits {
  return {
    dayCalls: budgetDayCalls,
    dayTokens: budgetDayTokens,
    dayUsd: budgetDayUsd,
    sessionTokens: budgetSessionTokens,
  };
}

import type { UsageLimits } from '@claude-mem/core';
import type { Settings } from './setting-definitions.js';

/** Returns the configured budgets of the observer. */
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

import type { Ceiling, DayBudget } from '@claude-mem/core';

/** `12 of 500 calls (488 left), 45,100 tokens, about $0.12`: what today cost, and what is left where there is a ceiling. */
export function textOfBudget({ calls, tokens, usd }: DayBudget): string {
  return [
    ceiling(calls, textOfCount, calls.spent === 1 && calls.limit === null ? 'call' : 'calls'),
    ceiling(tokens, textOfCount, 'tokens'),
    `about ${ceiling(usd, textOfDollars, '')}`,
  ].join(', ');
}

function ceiling({ spent, limit, left }: Ceiling, textOf: (amount: number) => string, unit: string): string {
  const of = limit === null ? '' : ` of ${textOf(limit).replace(/(\.\d\d)0+$/, '$1')}`;
  return `${textOf(spent)}${of}${unit && ` ${unit}`}${left === null ? '' : ` (${textOf(left)} left)`}`;
}

/** `45,100` */
export const textOfCount = (count: number) => count.toLocaleString('en-US');

/** `$1.20`, and with more digits below a dollar: `$0.0012`. */
export const textOfDollars = (amount: number) => `$${amount.toFixed(amount === 0 || amount >= 1 ? 2 : 4)}`;

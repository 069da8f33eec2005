import type { Ceiling, DayBudget } from '@claude-mem/core';

/** Formats the cost of today: `12 of 500 calls (488 left), 45,100 tokens, about $0.12`. Limits are shown only if set. */
export function formatBudget({ calls, tokens, usd }: DayBudget): string {
  return [
    formatLimit(calls, formatNumber, calls.spent === 1 && calls.limit === null ? 'call' : 'calls'),
    formatLimit(tokens, formatNumber, 'tokens'),
    `about ${formatLimit(usd, formatDollars, '')}`,
  ].join(', ');
}

function formatLimit(
  { spent, limit, left }: Ceiling,
  format: (amount: number) => string,
  unit: string,
): string {
  const of = limit === null ? '' : ` of ${format(limit).replace(/(\.\d\d)0+$/, '$1')}`;
  return `${format(spent)}${of}${unit && ` ${unit}`}${left === null ? '' : ` (${format(left)} left)`}`;
}

/** `45,100` */
export const formatNumber = (count: number) => count.toLocaleString('en-US');

/** `$1.20`, with four decimal places below one dollar: `$0.0012`. */
export const formatDollars = (amount: number) => `$${amount.toFixed(amount === 0 || amount >= 1 ? 2 : 4)}`;

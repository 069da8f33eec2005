import type { SearchQuestion } from './memory-reader.js';

/** That the words asked for are nowhere, as a sentence. Of all kinds at once some may have them. */
export function nearestOnly(
  kind: SearchQuestion['kind'],
  { items, strategy }: { items: readonly unknown[]; strategy: string },
): string[] {
  const isFar = kind !== 'all' && strategy === 'semantic' && items.length > 0;
  return isFar ? ['nothing has these words; the nearest by meaning, which may be far'] : [];
}

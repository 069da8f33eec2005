/** That the words asked for are nowhere, as a sentence. */
export function nearestOnly({ items, strategy }: { items: readonly unknown[]; strategy: string }): string[] {
  const isFar = strategy === 'semantic' && items.length > 0;
  return isFar
    ? ['no record contains these words; these results match only semantically and may be unrelated']
    : [];
}

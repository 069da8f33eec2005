/** Creates a test for a list of allowed numbers. Without a list, all numbers are allowed. */
export function isAnyOf(allowed: readonly number[] | undefined): (value: number) => boolean {
  if (allowed === undefined) return () => true;
  if (allowed.length === 1) {
    const only = allowed[0];
    return (value) => value === only;
  }
  const set = new Set(allowed);
  return (value) => set.has(value);
}

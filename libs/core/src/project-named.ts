/** Returns the project with this key, or else the project with this name, or undefined. */
export function projectNamed<Known extends { key: string; name: string }>(
  projects: readonly Known[],
  named: string,
): Known | undefined {
  return projects.find(({ key }) => key === named) ?? projects.find(({ name }) => name === named);
}

const MOST_NAMED = 20;

/**
 * Formats the message for an unknown project. It contains stored names, which must be quoted before an agent reads
 * them.
 */
export function noSuchProject(named: string, projects: readonly { name: string }[]): string {
  const known = projects.slice(0, MOST_NAMED).map(({ name }) => `"${name}"`);
  const more = projects.length > known.length ? ` and ${projects.length - known.length} more` : '';
  return `There is no project "${named}". Known: ${known.length === 0 ? 'none' : `${known.join(', ')}${more}`}.`;
}

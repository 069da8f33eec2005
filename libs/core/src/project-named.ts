/** The project with this key, else the one with this name; undefined when there is none. */
export function projectNamed<Known extends { key: string; name: string }>(
  projects: readonly Known[],
  named: string,
): Known | undefined {
  return projects.find(({ key }) => key === named) ?? projects.find(({ name }) => name === named);
}

const MOST_NAMED = 20;

/** What is said to who names a project that there is not. Names are as they are stored: whoever shows this to an agent quotes it. */
export function noSuchProject(named: string, projects: readonly { name: string }[]): string {
  const known = projects.slice(0, MOST_NAMED).map(({ name }) => `"${name}"`);
  const more = projects.length > known.length ? ` and ${projects.length - known.length} more` : '';
  return `There is no project "${named}". Known: ${known.length === 0 ? 'none' : `${known.join(', ')}${more}`}.`;
}

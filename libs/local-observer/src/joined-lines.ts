const LENGTH = 200_000;

/** Joins the lines of several lists to one text of limited length. */
export function joinedLines(lists: readonly (readonly string[])[]): string {
  const taken: string[] = [];
  let length = 0;
  for (const list of lists) {
    for (const line of list) {
      if (length > LENGTH) return taken.join('\n');
      taken.push(line);
      length += line.length + 1;
    }
  }
  return taken.join('\n');
}

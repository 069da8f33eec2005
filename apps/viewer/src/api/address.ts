/** Parses the query of a URL. A parameter with several values becomes an array. */
export function readAddress(search: string): Record<string, string | string[]> {
  const params = new URLSearchParams(search);
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    fields[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return fields;
}

export function writeAddress(fields: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') params.append(name, String(item));
  }
  return params.size === 0 ? '' : `?${params}`;
}

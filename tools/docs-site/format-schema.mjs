const MAX_INLINE = 60;

/** Returns a row per field of a JSON schema of an object: name, type, required, description. Other schemas: their type. */
export function formatFields(schema) {
  const { properties, required = [] } = schema;
  if (properties === undefined) return `\`${formatType(schema)}\``;
  return Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    `\`${formatType(field)}\``,
    required.includes(name) ? 'yes' : 'no',
    formatDescription(field),
  ]);
}

function formatDescription({ description = '', default: value, minimum, maximum, maxLength }) {
  const limits = [
    minimum === undefined ? null : `at least ${minimum}`,
    maximum === undefined ? null : `at most ${maximum}`,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    value === undefined ? null : `default ${JSON.stringify(value)}`,
  ].filter((limit) => limit !== null);
  return [description, limits.join(', ')].filter((text) => text !== '').join('; ');
}

/** Formats a schema like a TypeScript type. Long objects are shortened. */
function formatType(schema) {
  const { type, items, anyOf, enum: values, properties } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(formatType))].join(' | ');
  if (type === 'array') {
    const item = items === undefined ? 'any' : formatType(items);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (Array.isArray(type)) return type.join(' | ');
  if (properties === undefined) return type ?? 'any';
  const fields = Object.entries(properties).map(([name, field]) => `${name}: ${formatType(field)}`);
  const full = `{ ${fields.join(', ')} }`;
  return full.length <= MAX_INLINE ? full : `{ ${Object.keys(properties).join(', ')} }`;
}

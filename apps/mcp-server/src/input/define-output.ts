import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** Creates the output schema of a tool. The output is not validated, because the tool itself creates it. */
export function defineOutput<Output>(
  properties: Record<keyof Output & string, Readonly<Record<string, unknown>>>,
  required: readonly (keyof Output & string)[],
): StandardSchemaWithJSON<Output> {
  const schema = { type: 'object', properties, required };
  return {
    '~standard': {
      version: 1,
      vendor: 'claude-mem',
      validate: (value) => ({ value: value as Output }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

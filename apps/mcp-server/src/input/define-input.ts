import { isRecord, toSingleLine } from '@claude-mem/core';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Field } from './fields.js';
import { InputError } from './input-error.js';

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The parsed arguments of a tool. */
export type InputOf<Declared extends Fields> = {
  [Name in keyof Declared]: ReturnType<Declared[Name]['read']>;
};

/**
 * Creates the input schema of a tool. Clients receive the plain form of every argument; other forms of a value are accepted
 * too. Unknown arguments are rejected, because an ignored filter would return other records than requested.
 */
export function defineInput<const Declared extends Fields>(
  fields: Declared,
): StandardSchemaWithJSON<InputOf<Declared>> {
  const schema = toJsonSchema(fields);
  return {
    '~standard': {
      version: 1,
      vendor: 'claude-mem',
      validate: (value) => {
        try {
          refuseUnknown(fields, value);
          return { value: read(fields, value) };
        } catch (error) {
          if (error instanceof InputError) return { issues: [{ message: error.message }] };
          throw error;
        }
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

function refuseUnknown(fields: Fields, value: unknown): void {
  const unknown = isRecord(value)
    ? Object.keys(value).find((name) => !Object.hasOwn(fields, name))
    : undefined;
  if (unknown !== undefined)
    throw new InputError(
      `Unknown argument "${toSingleLine(unknown).slice(0, 50)}". Known arguments: ${Object.keys(fields).join(', ')}.`,
    );
}

function read<Declared extends Fields>(fields: Declared, value: unknown): InputOf<Declared> {
  const values = isRecord(value) ? value : {};
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    field.read(Object.hasOwn(values, name) ? values[name] : undefined, name),
  ]);
  return Object.fromEntries(entries) as InputOf<Declared>;
}

function toJsonSchema(fields: Fields): Record<string, unknown> {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    additionalProperties: false,
  };
}

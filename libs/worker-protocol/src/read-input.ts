import type * as Type from 'typebox';
import { Check, Errors } from 'typebox/value';

/** What a schema says about a value from outside. */
export type InputReading<Value> = { kind: 'valid'; value: Value } | { kind: 'invalid'; problems: string[] };

/**
 * Checks a value from outside against a schema of this package. `from: 'query'` (also path parameters): text becomes a
 * number where the schema asks for one and it plainly is one. JSON bodies are taken as they are.
 */
export function readInput<Schema extends Type.TSchema>(
  schema: Schema,
  value: unknown,
  { from }: { from: 'query' | 'body' },
): InputReading<Type.Static<Schema>> {
  const input = from === 'query' ? withNumbers(schema, value) : value;
  if (Check(schema, input)) return { kind: 'valid', value: input as Type.Static<Schema> };
  const problems = Errors(schema, input)
    .slice(0, 5)
    .map(({ instancePath, message }) => `${fieldName(instancePath)} ${message}`);
  return { kind: 'invalid', problems };
}

function withNumbers(schema: Type.TSchema, value: unknown): unknown {
  const fields = (schema as { properties?: Record<string, { type?: string; isId?: true }> }).properties ?? {};
  const entries = Object.entries(value as Record<string, unknown>).map(([name, field]) => {
    const wanted = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof field !== 'string') return [name, field];
    const text = wanted?.isId ? field.trim().replace(/^#/, '') : field;
    const isNumber = wanted?.type === 'integer' || wanted?.type === 'number';
    return [name, isNumber && NUMBER.test(text) ? Number(text) : field];
  });
  return Object.fromEntries(entries);
}

const NUMBER = /^-?\d{1,20}(\.\d{1,20})?$/;

function fieldName(instancePath: string): string {
  return instancePath === '' ? 'value' : instancePath.slice(1).replaceAll('/', '.');
}

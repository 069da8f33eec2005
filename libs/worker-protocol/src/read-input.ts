import type * as Type from 'typebox';
import { Check, Errors } from 'typebox/value';

/** The result of a validation. */
export type InputReading<Value> = { kind: 'valid'; value: Value } | { kind: 'invalid'; problems: string[] };

/**
 * Validates external input against a schema of this package. `from: 'query'` (also for path parameters) converts text
 * to a number when the schema needs one and the text is a plain number. JSON bodies are not converted.
 */
export function readInput<Schema extends Type.TSchema>(
  schema: Schema,
  value: unknown,
  { from }: { from: 'query' | 'body' },
): InputReading<Type.Static<Schema>> {
  const input = from === 'query' ? withNumbers(schema, value) : value;
  if (Check(schema, input)) return { kind: 'valid', value: input as Type.Static<Schema> };
  return { kind: 'invalid', problems: problemsOf(Errors(schema, input)).slice(0, MOST_PROBLEMS) };
}

const MOST_PROBLEMS = 5;

/** A field with several allowed values is reported once, with all values. */
function problemsOf(errors: ReturnType<typeof Errors>): string[] {
  const words = new Map<string, unknown[]>();
  for (const { keyword, instancePath, params } of errors) {
    const known = words.get(instancePath) ?? [];
    if (keyword === 'const') words.set(instancePath, [...known, params.allowedValue]);
  }
  // Zod adds this error after the values. After too many errors it is missing.
  const isCompletePath = (path: string) =>
    errors.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === path);
  const problems = errors.map(({ instancePath, message }) => {
    const allowed = words.get(instancePath);
    const list = allowed && [...allowed, ...(isCompletePath(instancePath) ? [] : ['…'])].join(', ');
    return `${fieldName(instancePath)} ${list === undefined ? message : `must be one of ${list}`}`;
  });
  return [...new Set(problems)];
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

import { HOST_NAMES } from '@claude-mem/core';
import * as Type from 'typebox';

/** One of the given values. */
export function oneOf<const Word extends string>(words: readonly Word[], options: Type.TSchemaOptions = {}) {
  return Type.Unsafe<Word>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      options,
    ),
  );
}

/** One or several of the given values, as a repeated parameter. */
export function someOf<const Word extends string>(words: readonly Word[]) {
  // A client adds an empty value to a list with one value.
  return Type.Unsafe<Word | readonly Word[]>(
    Type.Union([oneOf(words), Type.Array(oneOf([...words, '']), { maxItems: 100 })]),
  );
}

export const EpochMs = Type.Integer({ minimum: 0, description: 'Epoch milliseconds' });
export const NullableText = Type.Union([Type.String(), Type.Null()]);
/** Addresses may contain the citation form `#12`. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, isId: true });
export const Host = oneOf(HOST_NAMES);
export const IdParams = Type.Object({ id: RowId });

/** Query of every list. */
export const ListQuery = Type.Object({
  projectId: Type.Optional(RowId),
  sessionId: Type.Optional(RowId),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the previous page' })),
});

/** `nextCursor` is null on the last page. */
export function pageOf<Item extends Type.TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item), nextCursor: NullableText });
}

export const ErrorReply = Type.Object({
  error: Type.Object({
    code: Type.String({ description: 'Stable code for programs' }),
    message: Type.String({ description: 'One sentence: what happened and what to do' }),
    details: Type.Optional(Type.Unknown()),
  }),
});
export type ErrorReply = Type.Static<typeof ErrorReply>;

/** Keeps the fields of a schema equal to those of its core type. */
export function objectOf<Shape>(fields: { [Key in keyof Required<Shape>]: Type.TSchema }) {
  return Type.Unsafe<Shape>(Type.Object(fields as unknown as Record<string, Type.TSchema>));
}

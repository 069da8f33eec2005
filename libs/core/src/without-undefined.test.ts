import { expect, expectTypeOf, it } from 'vitest';
import { withoutUndefined } from './without-undefined.js';

it('removes only undefined fields', () => {
  const fields: { a: number; b: string | undefined; c?: null; d: string | null } = {
    a: 0,
    b: undefined,
    d: null,
  };
  const given = withoutUndefined(fields);
  expect(Object.keys(given)).toEqual(['a', 'd']);
  expect(withoutUndefined({ text: '', flag: false })).toEqual({ text: '', flag: false });
  expectTypeOf(given.a).toEqualTypeOf<number>();
  expectTypeOf(given.b).toEqualTypeOf<string | undefined>();
  expectTypeOf(given.d).toEqualTypeOf<string | null>();
});

import { describe, expect, it } from 'vitest';
import { TOOLS } from '../tools/index.js';

describe('defineInput', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    'arguments are rejected when one is unknown, and the known ones are listed: %s',
    async (_, { input }) => {
      const standard = input['~standard'];
      const { properties } = standard.jsonSchema.input({ target: 'draft-2020-12' });
      const known = Object.keys(properties as object);
      expect(await standard.validate({ 'fi\nle': 'a.ts' })).toEqual({
        issues: [{ message: `Unknown argument "fi le". Known arguments: ${known.join(', ')}.` }],
      });
    },
  );
});

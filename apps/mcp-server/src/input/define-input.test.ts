import { describe, expect, it } from 'vitest';
import { TOOLS } from '../tools/index.js';

describe('defineInput', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    'rejects an unknown argument and lists the known ones: %s',
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

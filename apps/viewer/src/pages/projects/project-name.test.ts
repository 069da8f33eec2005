import { NEUTRAL_PROJECT } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { describeKey, isNameMadeUnique } from './project-name.js';

describe('names of projects', () => {
  it.each([
    ['/repos/shop', 'shop', false],
    ['/clients/acme/shop', 'shop (acme)', true],
    ['/repos/shop (2)', 'shop (2)', false],
    ['C:\\repos\\shop', 'shop (repos)', true],
    [NEUTRAL_PROJECT.key, NEUTRAL_PROJECT.name, false],
  ])('detects whether a parent folder was added: key %s, name %s', (key, name, isUnique) => {
    expect(isNameMadeUnique({ key, name })).toBe(isUnique);
  });

  it('describe the neutral project in words and other projects by their path', () => {
    expect(describeKey(NEUTRAL_PROJECT)).toContain('home folder');
    expect(describeKey({ key: '/repos/shop', name: 'shop' })).toBe('/repos/shop');
  });
});

import { expect, it } from 'vitest';
import { isNewerVersion } from './is-newer-version.js';

it.each([
  ['0.2.0', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.99.99', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['@VERSION@', '0.1.0', false],
  ['9.9.9-beta', '0.1.0', false],
  ['', '0.1.0', false],
  [undefined, '0.1.0', false],
])('isNewerVersion(%s, %s) is %s', (version, than, expected) => {
  expect(isNewerVersion(version, than)).toBe(expected);
});

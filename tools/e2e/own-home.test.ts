import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SENTINEL } from './sentinel-home.js';

describe('the tests themselves', () => {
  // The end of the complete run checks that the home folder is unchanged and the default port unused.
  it('B033: all tests run in a watched home that is not the person’s', () => {
    const home = process.env[SENTINEL];
    expect(home).toBeDefined();
    expect(homedir()).toBe(home);
    expect(existsSync(path.join(homedir(), '.claude-mem'))).toBe(false);
  });
});

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SENTINEL } from './sentinel-home.js';

describe('the test run', () => {
  // At its end, the test run checks that the home folder is unchanged and that the default port was not used.
  it('B033: uses a monitored home folder instead of the home folder of the user', () => {
    const home = process.env[SENTINEL];
    expect(home).toBeDefined();
    expect(homedir()).toBe(home);
    expect(existsSync(path.join(homedir(), '.claude-mem'))).toBe(false);
  });
});

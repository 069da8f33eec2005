import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestHome } from '../testing/run-inside.js';

describe('short event names', () => {
  it.each([
    ['claude-code', ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop']],
    ['cursor', ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'stop']],
  ])('are stored as the matching events of the host %s', { timeout: 20_000 }, async (host, events) => {
    using home = createTestHome();
    // a recent startup lock prevents the hook from starting a worker
    mkdirSync(join(home.dataDir, 'starting'), { recursive: true });
    for (const name of ['context', 'new', 'save', 'summary'])
      expect(await home.run([name, '--host', host], '{}')).toEqual({ exit: 0, stdout: '', stderr: '' });
    const spooled = readdirSync(join(home.dataDir, 'spool')).map((file) => file.split('.').slice(0, 2));
    expect(spooled.sort()).toEqual(events.map((event) => [host, event]).sort());
  });

  it.each([
    [['context'], /^\{"systemMessage":"claude-mem cannot store events in .*"\}$/],
    [['new'], /^$/],
    [['hook', 'claude-code', 'Stop'], /^$/],
  ])('exit with 0 when no event can be stored: %j', async (words, stdout) => {
    using home = createTestHome();
    mkdirSync(home.dataDir);
    writeFileSync(join(home.dataDir, 'spool'), '');
    expect(await home.run(words, '{}')).toEqual({
      exit: 0,
      stdout: expect.stringMatching(stdout),
      stderr: '',
    });
  });
});

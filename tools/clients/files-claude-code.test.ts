import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { waitUntilDrained, writeSettings } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { claudeClients, countContexts, observed, openClaudeScenario } from './claude-scenario.js';

const clients = claudeClients();

if (clients.length === 0) {
  describe('context files in real clients', () => it.skip('are tested only by npm run test:clients'));
}

describe.each(clients)('context files in $name', { timeout: 240_000 }, (client) => {
  it('inject their content once, and import only the files that the user references in CLAUDE.md', async () => {
    const { home, model, start, fileIn, scriptWork } = await openClaudeScenario({ client });
    writeSettings(home, { CLAUDE_MEM_CLAUDE_MD: true });
    execFileSync('git', ['init', '-q'], { cwd: home.project, env: home.env });
    writeFileSync(fileIn('wanted.md'), 'the wanted sentinel\n');
    writeFileSync(fileIn('unwanted.md'), 'the unwanted sentinel\n');
    writeFileSync(fileIn('CLAUDE.md'), 'Use tabs. See @wanted.md\n');
    scriptWork('Raise the limit as @unwanted.md says', 'limit.ts');
    const first = start();
    await first.send('Raise the limit as @unwanted.md says');
    await first.end();
    await waitUntilDrained(home);
    const kept = () => readFileSync(fileIn('CLAUDE.md'), 'utf8');
    await expect.poll(kept, { timeout: 10_000 }).toContain('＠unwanted.md');
    expect(kept().startsWith('Use tabs. See @wanted.md\n\n<claude-mem-context>\n')).toBe(true);
    // The worker writes the context file shortly after the commit.
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    model.script('What is the limit?', [{ text: 'Ten.' }]);
    const second = start();
    await second.send('What is the limit?');
    const all = model.requests.at(-1)?.all ?? '';
    const title = String(observed(home)[0]?.['title']);
    expect(kept()).toContain(title);
    expect(all.split(title)).toHaveLength(kept().split(title).length);
    expect(countContexts(model)).toBe(1);
    expect(all).toContain('the wanted sentinel');
    expect(all).not.toContain('the unwanted sentinel');
    await second.end();
  });
});

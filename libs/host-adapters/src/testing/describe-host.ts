import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstallResult } from '../host-adapter.js';
import { describeAnswering } from './describe-answering.js';
import type { DescribeHostOptions } from './describe-host-options.js';
import { describeReading } from './describe-reading.js';

/** Tests the contract of host adapters. Call it in a test file of the adapter. */
export function describeHost(name: string, host: DescribeHostOptions): void {
  describeReading(name, host);
  describeAnswering(name, host);

  describe(`${name}: installing`, () => {
    const adapter = host.open();
    let home: string;
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'host-'));
    });
    afterEach(() => rmSync(home, { recursive: true, force: true }));

    const mcpServer = { node: '/opt/a b/node', script: '/opt/a b/mcp-server.js' };
    const options = { hookScript: '/opt/a b/hook.sh', mcpServer };
    const changes = (results: readonly InstallResult[]) => [...new Set(results.map(({ change }) => change))];
    const textsOf = (results: readonly InstallResult[]) =>
      results.map(({ file }) => readFileSync(file, 'utf8'));

    it('twice is once, and uninstalling leaves nothing', async () => {
      const first = await adapter.install({ home, ...options });
      expect(changes(first)).toEqual(['installed']);
      expect(first.some(({ hasMcpServer }) => hasMcpServer)).toBe(true);
      const events = first.flatMap((result) => result.events);
      expect(events).not.toEqual([]);
      expect(adapter.events).toEqual(expect.arrayContaining(events));
      const texts = textsOf(first);
      expect(texts).toEqual(first.map(({ after }) => after));
      expect(changes(await adapter.install({ home, ...options }))).toEqual(['unchanged']);
      expect(textsOf(first)).toEqual(texts);
      const moved = {
        hookScript: '/opt/c/hook.sh',
        mcpServer: { node: '/n', script: '/opt/c/mcp-server.js' },
      };
      expect(changes(await adapter.install({ home, ...moved }))).toEqual(['updated']);
      expect(textsOf(first).join('')).not.toContain('/opt/a b/');
      expect(changes(await adapter.uninstall({ home }))).toEqual(['removed']);
      for (const { file } of first) expect(existsSync(file)).toBe(false);
      expect(changes(await adapter.uninstall({ home }))).toEqual(['absent']);
    });

    it('goes without the MCP server, and loses it again', async () => {
      const { mcpServer: _, ...hooksOnly } = options;
      for (const place of [{ home }, { home, projectDir: join(home, 'repos', 'shop') }]) {
        const before = await adapter.install({ ...place, ...hooksOnly });
        expect(before.some(({ hasMcpServer }) => hasMcpServer)).toBe(false);
        const texts = before.map(({ after }) => after);
        await adapter.install({ ...place, ...options });
        const after = await adapter.install({ ...place, ...hooksOnly });
        expect(after.map((result) => result.after)).toEqual(texts);
        expect(changes(await adapter.uninstall(place))).toContain('removed');
        for (const { file } of after) expect(existsSync(file)).toBe(false);
      }
    });

    it('tells what would change and what is there', async () => {
      const nothing = await adapter.inspect({ home });
      expect(nothing.flatMap(({ programs }) => programs)).toEqual([]);
      const plan = await adapter.install({ home, ...options, dryRun: true });
      for (const { file } of plan) expect(existsSync(file)).toBe(false);
      const done = await adapter.install({ home, ...options });
      expect(done).toEqual(plan);
      const found = await adapter.inspect({ home });
      expect(found.flatMap(({ programs }) => programs).toSorted()).toEqual(
        [options.hookScript, mcpServer.node, mcpServer.script].toSorted(),
      );
      expect(changes(await adapter.uninstall({ home, dryRun: true }))).toEqual(['removed']);
      expect(await adapter.inspect({ home })).toEqual(found);
    });
  });
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CLAUDE_CODE_HOOKS } from '@claude-mem/host-adapters';
import { workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from './render-hooks.js';
import { MARKETPLACE, PLUGIN, readJson } from './testing/built-plugin.js';

const { version } = readJson(join(workspacePaths.root, 'package.json')) as { version: string };
const files = readdirSync(PLUGIN, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

describe('built plugin', () => {
  it('B030: plugin, marketplace and programs have the version of the workspace', () => {
    const marketplace = readJson(join(MARKETPLACE, '.claude-plugin/marketplace.json')) as {
      plugins: { name: string; source: string; version: string }[];
    };
    const manifest = readJson(join(PLUGIN, '.claude-plugin/plugin.json')) as { name: string };
    expect(manifest).toMatchObject({ version });
    expect(marketplace.plugins).toEqual([
      expect.objectContaining({ name: manifest.name, version, source: `./${basename(PLUGIN)}` }),
    ]);
    const programs = ['hooks-cli', 'worker', 'mcp-server'];
    expect(programs.map((name) => readJson(join(PLUGIN, name, 'package.json')))).toEqual(
      programs.map(() => expect.objectContaining({ version, type: 'module' })),
    );
    expect(readFileSync(join(PLUGIN, 'hooks-cli/dist/hook.sh'), 'utf8')).toContain(`version=${version}`);
  });

  it('registers each event of the adapter once, with a command that always exits with 0', () => {
    const { hooks } = readJson(join(PLUGIN, 'hooks/hooks.json')) as PluginHooks;
    const written = Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher, hooks: entries }) =>
        entries.map(({ timeout, command }) => ({ event, matcher, timeout, command })),
      ),
    );
    expect(written.map(({ command: _, ...hook }) => hook)).toEqual(
      CLAUDE_CODE_HOOKS.map((hook) => ({
        event: hook.event,
        matcher: 'matcher' in hook ? hook.matcher : undefined,
        timeout: hook.timeout,
      })),
    );
    written.forEach(({ event, matcher, command }) => {
      const argument = matcher === 'Read' ? 'FileRead' : event;
      expect(command).toMatch(
        new RegExp(`^sh "\\$CLAUDE_PLUGIN_ROOT/.*" claude-code ${argument} .*\\|\\| true$`),
      );
    });
  });

  it('S04: runs only programs of the plugin', () => {
    const texts = files.filter((file) => /\/(commands|skills)\/.*\.md$/.test(file));
    const run = texts.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/!`([^`]*)`|Bash\(([^)]*)\)/g),
    ]);
    expect(run.length).toBeGreaterThan(1);
    for (const [, inText, allowed] of run)
      expect(inText ?? allowed).toMatch(/^sh "\$\{CLAUDE_PLUGIN_ROOT\}\/bin\/claude-mem" [a-z]+$/);
  });

  it('S04: starts its programs without the NODE_OPTIONS of a project', () => {
    const clone = mkdtempSync(join(tmpdir(), 'cm-clone-'));
    try {
      writeFileSync(join(clone, 'trap.cjs'), "process.stdout.write('trap ')");
      const output = execFileSync('sh', [join(PLUGIN, 'bin/claude-mem'), 'version'], {
        cwd: clone,
        env: { ...process.env, NODE_OPTIONS: '--require ./trap.cjs', NODE_EXTRA_CA_CERTS: '/nowhere' },
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      });
      expect(output).toContain(version);
      expect(output).not.toContain('trap');
    } finally {
      rmSync(clone, { recursive: true });
    }
  });

  it('contains every file that it references', () => {
    const { hooks } = readJson(join(PLUGIN, 'hooks/hooks.json')) as PluginHooks;
    const commands = Object.values(hooks).flatMap((groups) =>
      groups.flatMap((group) => group.hooks.map(({ command }) => command)),
    );
    const texts = ['.mcp.json', 'commands/status.md', 'bin/claude-mem'].map((name) =>
      readFileSync(join(PLUGIN, name), 'utf8'),
    );
    const named = [...commands, ...texts].flatMap((text) => [
      ...[...text.matchAll(/\$\{?CLAUDE_PLUGIN_ROOT\}?\/([\w./-]+)/g)].map(([, name]) => name ?? ''),
      ...[...text.matchAll(/\.\.\/([\w./-]+\.(?:sh|js))/g)].map(([, name]) => name ?? ''),
      ...[...text.matchAll(/(?:hooks-cli|worker|mcp-server)\/dist\/[\w./-]+/g)].map(([name]) => name),
    ]);
    expect(named.length).toBeGreaterThan(CLAUDE_CODE_HOOKS.length + 3);
    expect(named.filter((name) => !existsSync(join(PLUGIN, name)))).toEqual([]);
    for (const program of ['bin/claude-mem', 'scripts/run.sh', 'hooks-cli/dist/hook.sh'])
      expect(statSync(join(PLUGIN, program)).mode & 0o111, program).not.toBe(0);
  });

  it('B028 B032: contains no path of the build folder, no sources and no files of earlier builds', () => {
    const unwanted = files.filter((file) =>
      /(?<!\.d)\.ts$|\.(tsbuildinfo|old|new|map)$|\/(src|deps|out-tsc)\//.test(file),
    );
    expect(unwanted).toEqual([]);
    const texts = files.filter((file) => /\.(c?js|json|sh|md)$/.test(file));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((file) => readFileSync(file, 'utf8').includes(workspacePaths.root))).toEqual([]);
  });

  it('contains the required description in every skill and command', () => {
    const heads = files
      .filter((file) => /\/(commands|skills)\/.*\.md$/.test(file))
      .map((file) => /^---\n([^]*?)\n---\n/.exec(readFileSync(file, 'utf8'))?.[1] ?? file);
    expect(heads).toHaveLength(6);
    for (const head of heads) expect(head).toMatch(/^description: .{20,}/m);
  });
});

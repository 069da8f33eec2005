import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HostEvent } from '@claude-mem/core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { HookReading } from '../host-adapter.js';
import { describeHost, readHostSamples } from '../testing/index.js';
import { createOpenCodeAdapter } from './create-opencode-adapter.js';
import { OPENCODE_EVENTS } from './events.js';

const captures: Record<string, HostEvent['kind']> = {
  sessionStart: 'session-start',
  chatMessage: 'prompt',
  toolExecuted: 'tool-use',
  toolFailed: 'tool-use',
  sessionIdle: 'turn-end',
  sessionDeleted: 'session-end',
};

describeHost('opencode', {
  open: createOpenCodeAdapter,
  samples: readHostSamples(join(import.meta.dirname, '../__fixtures__/opencode'), OPENCODE_EVENTS),
  captures,
  contextEvents: ['sessionStart', 'chatMessage'],
});

/** The hooks of the plugin as the host calls them. */
interface Plugin {
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  'chat.message'(input: object, output: object): Promise<void>;
  'tool.execute.after'(input: object, output: object): Promise<void>;
  'experimental.chat.system.transform'(input: object, output: { system: string[] }): Promise<void>;
}

const root = mkdtempSync(join(tmpdir(), `plugin's "home"-`));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const adapter = createOpenCodeAdapter();
const SHOP = '/repos/shop';

/** Records its input, and responds with context that names the event. */
const HOOK = `at=$(date +%s%N); cat > "$0-$at"; mv "$0-$at" "$0.$at.$2"; case $2 in sessionStart|chatMessage) printf '{"context":"for %s"}' "$2";; esac`;

let home: string;
let hookScript: string;
let plugin: Plugin;
beforeEach(async () => {
  home = mkdtempSync(join(root, 'home-'));
  // A hook that the previous test did not wait for may still be writing.
  hookScript = join(home, 'hook.sh');
  writeFileSync(hookScript, HOOK);
  const [installed] = await adapter.install({ home, hookScript });
  const loaded = (await import(/* @vite-ignore */ installed?.file ?? '')) as {
    ClaudeMem(place: object): Promise<Plugin>;
  };
  plugin = await loaded.ClaudeMem({ directory: SHOP, worktree: SHOP });
});

/** The input of the hook so far, as the adapter reads it. */
function readings(): HookReading[] {
  return readdirSync(home)
    .filter((name) => name.startsWith('hook.sh.'))
    .sort()
    .map((name) => {
      const event = name.split('.').at(-1) ?? '';
      const payload: unknown = JSON.parse(readFileSync(join(home, name), 'utf8'));
      return adapter.readEvent({ event, payload, env: {} });
    });
}
const events = () => readings().map((reading) => (reading.kind === 'event' ? reading.event : reading));
/** The host does not wait for all events. */
const eventsOf = async (count: number) => {
  await expect.poll(() => readings().length, { timeout: 5_000 }).toBe(count);
  return events();
};
const happens = (type: string, properties: object) => plugin.event({ event: { type, properties } });
const output = (text: string, { sessionID = 's1', id = 'm1', ...part } = {}) =>
  plugin['chat.message']({ sessionID }, { message: { id }, parts: [{ type: 'text', text, ...part }] });
const systemOf = async (system: string[], sessionID = 's1') => {
  await plugin['experimental.chat.system.transform']({ sessionID }, { system });
  return system;
};

describe('the OpenCode plugin', () => {
  it('reports the events of a conversation in order', async () => {
    await happens('session.created', { info: { id: 's1' } });
    await output('Why does the cart lose its discount?');
    await happens('message.updated', { info: { id: 'm2', role: 'assistant' } });
    const input = { tool: 'bash', sessionID: 's1', callID: 'c1', args: { command: 'npm test' } };
    await plugin['tool.execute.after'](input, { output: 'no', metadata: { exit: 1 } });
    const part = { type: 'tool', tool: 'read', callID: 'c2', sessionID: 's1' };
    await happens('message.part.updated', { part: { ...part, state: { status: 'running' } } });
    await happens('message.part.updated', { part: { ...part, state: { status: 'error', error: 'gone' } } });
    await eventsOf(4);
    for (const text of ['The', 'The discount is kept.'])
      await happens('message.part.updated', {
        part: { type: 'text', messageID: 'm2', sessionID: 's1', text },
      });
    await happens('session.status', { sessionID: 's1', status: { type: 'busy' } });
    await happens('session.status', { sessionID: 's1', status: { type: 'idle' } });
    await happens('session.idle', { sessionID: 's1' });
    await eventsOf(5);
    await happens('session.deleted', { info: { id: 's1' } });
    const all = await eventsOf(6);
    expect(all).toMatchObject([
      { kind: 'session-start', source: 'startup', cwd: SHOP, projectDir: SHOP },
      { kind: 'prompt', text: 'Why does the cart lose its discount?', promptId: 'm1' },
      { kind: 'tool-use', toolName: 'bash', toolUseId: 'c1', outcome: 'failed', error: 'no', promptId: 'm1' },
      { kind: 'tool-use', toolName: 'read', toolUseId: 'c2', outcome: 'failed', error: 'gone' },
      { kind: 'turn-end', lastAssistantMessage: 'The discount is kept.', promptId: 'm1' },
      { kind: 'session-end' },
    ]);
    for (const event of all) expect(event).toMatchObject({ host: 'opencode', contentSessionId: 's1' });
  });

  it('provides context to the agent and not to the title generator', async () => {
    await happens('session.created', { info: { id: 's1' } });
    await output('x');
    expect(await systemOf(['You are an agent'])).toEqual([
      'You are an agent',
      'for sessionStart',
      'for chatMessage',
    ]);
    expect(await systemOf(['You are a title generator. You'])).toHaveLength(1);
    expect(await systemOf(['You are an agent'], 'other')).toHaveLength(1);
  });

  it('requests context again when a conversation continues in another process', async () => {
    await output('go on');
    expect(events()).toMatchObject([{ kind: 'session-start', source: 'clear' }, { kind: 'prompt' }]);
    expect(await systemOf(['a'])).toContain('for sessionStart');
  });

  it('B152: counts what a child does as its parent’s, and neither its prompts nor its end', async () => {
    await output('x');
    await happens('session.created', { info: { id: 'child', parentID: 's1' } });
    await output('do this', { sessionID: 'child', id: 'm9' });
    await plugin['tool.execute.after']({ tool: 'bash', sessionID: 'child', callID: 'c' }, { output: 'ok' });
    await happens('session.idle', { sessionID: 'child' });
    expect(events().slice(2)).toMatchObject([
      { kind: 'tool-use', contentSessionId: 's1', agentId: 'child', promptId: 'm1' },
    ]);
  });

  it('B018: never throws into the host when the hook is missing or prints invalid output', async () => {
    writeFileSync(hookScript, 'echo nonsense; exit 2');
    await output('x');
    expect(await systemOf(['a'])).toEqual(['a']);
    rmSync(hookScript);
    await happens('session.created', { info: { id: 's2' } });
    await happens('session.created', {});
    await happens('message.part.updated', { part: null as unknown as object });
    await plugin['tool.execute.after'](null as unknown as object, {});
    await happens('session.idle', { sessionID: 's2' });
    await happens('who.knows', {});
    expect(await systemOf(['a'], 's2')).toEqual(['a']);
  });

  it.each(['sleep 30; exit', 'trap "" TERM HUP; sleep 30; cat >/dev/null; exit'])(
    'B018: returns from each step when the hook hangs: %s',
    async (script) => {
      writeFileSync(hookScript, script);
      const steps = [
        () => happens('session.created', { info: { id: 's1' } }),
        () => output('x'.repeat(1_000_000)),
        () => systemOf(['You are an agent']),
        () => plugin['tool.execute.after']({ tool: 'bash', sessionID: 's1', callID: 'c' }, { output: 'ok' }),
        () => happens('session.status', { sessionID: 's1', status: { type: 'idle' } }),
      ];
      const times = [];
      for (const step of steps) {
        const start = performance.now();
        await step();
        times.push(performance.now() - start);
      }
      // A step waits for 0.9 s; the hook hangs for 30 s.
      expect(Math.max(...times)).toBeLessThan(20_000);
      // The last step does not wait.
      expect(times.at(-1)).toBeLessThan(Math.max(...times));
    },
  );

  it('delivers the complete end of a turn when the host exits at the same moment', async () => {
    const file = join(home, '.config', 'opencode', 'plugin', 'claude-mem.js');
    const reply = 'kept '.repeat(200_000);
    const host = `
      const { ClaudeMem } = await import(${JSON.stringify(pathToFileURL(file).href)});
      const plugin = await ClaudeMem({ directory: '${SHOP}', worktree: '${SHOP}' });
      const tell = (type, properties) => plugin.event({ event: { type, properties } });
      await plugin['chat.message']({ sessionID: 's1' }, { message: { id: 'm1' }, parts: [] });
      tell('message.updated', { info: { id: 'm2', role: 'assistant' } });
      tell('message.part.updated', { part: { type: 'text', messageID: 'm2', sessionID: 's1', text: ${JSON.stringify('kept ')}.repeat(200_000) } });
      tell('session.status', { sessionID: 's1', status: { type: 'idle' } });
      process.exit(0);`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module'], { input: host });
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
    const end = (await eventsOf(3)).at(-1);
    expect(end).toMatchObject({
      kind: 'turn-end',
      promptId: 'm1',
      lastAssistantMessage: reply.slice(0, 100_000),
    });
    expect(readdirSync(tmpdir()).filter((name) => /^claude-mem-[0-9a-f-]{36}$/.test(name))).toEqual([]);
  });

  it('is a valid module without any other file', () => {
    const file = join(home, '.config', 'opencode', 'plugin', 'claude-mem.js');
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--check'], {
      input: readFileSync(file),
    });
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  });

  it('B120: text that the host added is no prompt', async () => {
    await output('the content of a file', { synthetic: true } as object);
    expect(events().at(-1)).toMatchObject({ kind: 'prompt', text: '[no text]' });
  });
});

const recorded = join(import.meta.dirname, '../../../../../shared/clients/payloads/opencode');

it.skipIf(!existsSync(recorded))(
  'reads payloads recorded from the real host (skipped when the recordings are missing)',
  async () => {
    const read = (name: string) => JSON.parse(readFileSync(join(recorded, `${name}.json`), 'utf8')) as never;
    const call = (name: string): { input: object; output: object } => read(name);
    await plugin.event({ event: read('event.session.created') });
    const { input, output } = call('chat.message');
    await plugin['chat.message'](input, output);
    for (const tool of ['bash', 'read', 'write', 'mem_search']) {
      const use = call(`tool.execute.after.${tool}`);
      await plugin['tool.execute.after'](use.input, use.output);
    }
    for (const name of readdirSync(recorded).filter((file) => /^event\.(?!session)/.test(file)))
      await plugin.event({ event: read(name.replace(/\.json$/, '')) });
    await plugin.event({ event: read('event.session.idle') });
    expect((await eventsOf(7)).map((event) => event.kind)).toEqual([
      'session-start',
      'prompt',
      ...Array.from({ length: 4 }, () => 'tool-use'),
      'turn-end',
    ]);
    const { sessionID } = read('event.session.idle')['properties'] as { sessionID: string };
    for (const event of events()) expect(event).toMatchObject({ contentSessionId: sessionID });
  },
);

describe('the configuration files of OpenCode', () => {
  it('B034: keep a plugin of the same name that claude-mem did not write', async () => {
    const file = join(home, '.config', 'opencode', 'plugin', 'claude-mem.js');
    writeFileSync(file, 'export const Mine = 1;\n');
    await expect(adapter.install({ home, hookScript })).rejects.toThrow('is not a plugin that we wrote');
    await adapter.uninstall({ home });
    expect(readFileSync(file, 'utf8')).toBe('export const Mine = 1;\n');
  });

  it('include opencode.jsonc when it exists', async () => {
    const file = join(home, '.config', 'opencode', 'opencode.jsonc');
    const before = '{\n  // mine\n  "mcp": {},\n}\n';
    writeFileSync(file, before);
    const mcpServer = { node: '/usr/bin/node', script: '/opt/mcp-server.js' };
    await adapter.install({ home, hookScript, mcpServer, dataDir: '/d' });
    expect(readFileSync(file, 'utf8')).toMatch(
      /"command": \[\s*"\/usr\/bin\/node",\s*"\/opt\/mcp-server\.js"\s*\],\s*"enabled": true,\s*"environment"/,
    );
    expect(existsSync(file.replace('jsonc', 'json'))).toBe(false);
    await adapter.uninstall({ home });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

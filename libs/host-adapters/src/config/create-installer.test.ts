import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { locateJson } from '@claude-mem/core/json-text';
import { bundleProgram } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse as parseJson } from 'jsonc-parser';
import { parse } from 'smol-toml';
import { adapterFor } from '../adapter-for.js';
import type { HostAdapter } from '../host-adapter.js';

const HOSTS = ['claude-code', 'cursor', 'codex', 'gemini-cli', 'opencode'];
/** What the hosts accept in their JSON files beyond JSON. */
const acceptsComments = (host: string) => host === 'gemini-cli' || host === 'opencode';
const acceptsTrailingCommas = (host: string) => host === 'opencode';
const adapter = (host: string) => adapterFor(host) as HostAdapter;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'host files-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const server = { command: 'node', args: ['/opt/tickets.mjs'] };
const settings = { theme: 'dark', mcpServers: { tickets: server }, hooks: { Stop: [] }, '10': ['ключ'] };
const theirHooks = Object.fromEntries(
  ['SessionStart', 'Stop', 'stop', 'AfterTool', 'postToolUse'].map((event) => [
    event,
    [{ matcher: '', hooks: [{ type: 'command', command: 'sh hook.sh claude-code Stop # claude-mem' }] }],
  ]),
);
const crlf = (text: string) => text.replaceAll('\n', '\r\n');

const json: Record<string, string> = {
  'an empty object': '{}',
  'an empty file': '',
  'only a mark': '\ufeff',
  'two spaces': `${JSON.stringify(settings, null, 2)}\n`,
  'tabs, CRLF and a mark': `\ufeff${crlf(JSON.stringify(settings, null, '\t'))}`,
  minified: JSON.stringify(settings),
  'empty fields': '{\n  "hooks": {},\n  "mcpServers": {}\n}\n',
  'empty fields, minified': '{"mcpServers":{},"hooks":{}}',
  comments:
    '// mine\n{\n  /* a */ "theme": "dark", // b\n  "mcpServers": { // none yet\n  }, // c\n}\n// end\n',
  'a comment where nothing else is': '{\n  // nothing yet\n}\n',
  'a key twice': '{"mcpServers": {}, "mcpServers": { "tickets": {} }}',
  'commas at the ends': '{\n\t"mcpServers": {\n\t\t"tickets": { "args": [1,], },\n\t},\n\t"hooks": {},\n}',
  'no final line end': JSON.stringify(settings, null, 4),
  'CR alone and odd space': '{ "theme" :"dark" ,\r"mcpServers":{"tickets" : { } }\r , "x":[1 ,2]}',
  'servers of OpenCode': '{"mcp": {"tickets": {"type": "local", "command": ["a"]}}, // mine\n}\n',
  'hooks of others': JSON.stringify({ hooks: theirHooks, version: 1 }, null, 2),
  'deep nesting': `{"a": ${'['.repeat(200)}{"mcpServers": {}}${']'.repeat(200)}}`,
  'keys of objects': '{"__proto__": {"hooks": 1}, "constructor": {}, "hasOwnProperty": 2}',
  'what looks like ours': `{"note": "# claude-mem hook", "hooks": {"Stop": ["sh 'x' # claude-mem hook"]}}`,
  'halves of signs and escapes': '{"\\ud800": "\\u0000 🦊", "mcp\\u0053ervers": {"a": {}}}',
};

const toml: Record<string, string> = {
  'tabs, dotted keys and remarks':
    '\tmcp_servers.tickets.command = "node" # mine\n\tmcp_servers.tickets."a.b" = 1\n# end',
  'lists of tables behind tables': '[a]\nb = [ # one\n  "]", """x""", # two\n]\n[[a.c]]\nd = {e = {f = 1}}\n',
  'what looks like ours': "a = '''\n# written by claude-mem, taken out by: claude-mem uninstall\n[x]\n'''\n",
  'servers with odd names': `[mcp_servers."claude-mem-2"]\ncommand = "a"\n[mcp_servers.'x.y']\ncommand = "b"`,
  'an empty file': '',
  'a line without end': 'model = "x"',
  'only line ends': '\n\n',
  tables:
    '# mine\nmodel = "x" # why\n\n[mcp_servers.tickets]\ncommand = "node"\n\n[projects."/repos/shop"]\ntrust = true\n',
  'CRLF and a mark': '\ufeffmodel = "x"\r\n[[rules]]\r\na = 1\r\n[[rules]]\r\na = 2\r\n',
  'a long text':
    'a = """\n[mcp_servers.claude-mem]\ncommand = "no"\n"""\nn = 1979-05-27T07:32:00Z\nbig = 9007199254740993',
};

const options = {
  hookScript: `/opt/it's "ours"/hook.sh`,
  mcpServer: { node: '/usr/bin/node', script: `/opt/it's "ours"/mcp-server.js` },
  dataDir: `/home/ada/my "memory"`,
};

function isRefused(host: string, text: string): boolean {
  const located = locateJson(text);
  if ('errorAt' in located) return false;
  return (
    (located.comment !== null && !acceptsComments(host)) ||
    (located.trailingComma !== null && !acceptsTrailingCommas(host))
  );
}

function readBack(file: string): Record<string, unknown> {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  if (file.endsWith('.toml')) return parse(text);
  return parseJson(text) as Record<string, unknown>;
}

describe.each(HOSTS)('the configuration files of %s', (host) => {
  const filesOf = async () => (await adapter(host).inspect({ home })).map(({ file }) => file);
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };

  it('B034: are restored byte by byte after install, reinstall with other paths and uninstall', async () => {
    const targets = (await filesOf()).filter((file) => !file.endsWith('.js'));
    for (const target of targets) {
      for (const [name, before] of Object.entries(target.endsWith('.toml') ? toml : json)) {
        if (!target.endsWith('.toml') && isRefused(host, before)) continue;
        put(target, before);
        const first = await adapter(host).install({ home, ...options });
        for (const { change } of first) expect(change, name).toBe('installed');
        const texts = first.map(({ file }) => readFileSync(file, 'utf8'));
        for (const { change } of await adapter(host).install({ home, ...options }))
          expect(change, name).toBe('unchanged');
        await adapter(host).install({ home, ...options, hookScript: '/n/hook.sh', dataDir: undefined });
        await adapter(host).install({ home, ...options });
        expect(first.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(texts);
        for (const { change } of await adapter(host).uninstall({ home }))
          expect(change, name).toBe('removed');
        expect(readFileSync(target, 'utf8'), name).toBe(before);
        rmSync(target);
        for (const { file } of first) expect(existsSync(file)).toBe(false);
      }
    }
  });

  it.each(["it's", 'a "home"', '$HOME `id`', 'アプリ 🦊', 'back\\slash', 'a % b#c', ' spaces '])(
    'B035: contain the correct paths when the home folder is named %j',
    async (name) => {
      const place = { home: join(home, name) };
      const from = join(place.home, 'programs');
      const server = { node: join(from, 'node'), script: join(from, 'mcp-server.js') };
      const own = {
        hookScript: join(from, 'hook.sh'),
        mcpServer: server,
        dataDir: join(place.home, '.data'),
      };
      mkdirSync(place.home);
      const done = await adapter(host).install({ ...place, ...own });
      const found = await adapter(host).inspect(place);
      expect(new Set(found.flatMap(({ programs }) => programs))).toEqual(
        new Set([own.hookScript, server.node, server.script]),
      );
      expect(JSON.stringify(readBack(done.find(({ hasMcpServer }) => hasMcpServer)?.file ?? ''))).toContain(
        JSON.stringify(server.script),
      );
      await adapter(host).uninstall(place);
      expect(readdirSync(place.home)).toEqual([]);
    },
  );

  it('contain the MCP server in the format of the host', async () => {
    const installed = await adapter(host).install({ home, ...options });
    const file = installed.find(({ hasMcpServer }) => hasMcpServer)?.file ?? '';
    const { mcpServers, mcp_servers, mcp } = readBack(file);
    if (host === 'opencode')
      return expect(mcp).toMatchObject({
        'claude-mem': { type: 'local', command: [options.mcpServer.node, options.mcpServer.script] },
      });
    return expect(mcpServers ?? mcp_servers).toEqual({
      'claude-mem': {
        command: options.mcpServer.node,
        args: [options.mcpServer.script],
        env: { CLAUDE_MEM_DATA_DIR: options.dataDir },
      },
    });
  });

  it('B034: are all left unchanged when one of them is invalid, and the error contains the position', async () => {
    const files = (await filesOf()).filter((file) => !file.endsWith('.js'));
    const text = (file: string) => (file.endsWith('.toml') ? 'a = 1\nb = ]' : '{\n  "a" = [');
    for (const broken of files) {
      for (const file of files) put(file, file === broken ? text(file) : '');
      await expect(adapter(host).install({ home, ...options })).rejects.toMatchObject({
        code: 'host-adapters/broken-config',
        message: expect.stringMatching(/line 2, column \d+\. It is left as it is/),
      });
      for (const file of files) expect(readFileSync(file, 'utf8')).toBe(file === broken ? text(file) : '');
    }
  });

  it('B034: lose the entries of claude-mem when another of them is invalid', async () => {
    const installed = await adapter(host).install({ home, ...options });
    for (const { file: broken, after } of installed) {
      if (broken.endsWith('.js')) continue;
      const text = `${after}]`;
      put(broken, text);
      for (const { file, problem, programs } of await adapter(host).inspect({ home })) {
        expect(problem?.message.includes('It is left as it is') ?? false).toBe(file === broken);
        expect(programs.length > 0).toBe(file !== broken);
      }
      for (const { file, change, problem } of await adapter(host).uninstall({ home })) {
        expect(change).toBe(file === broken ? 'refused' : 'removed');
        expect(/line \d+, column/.test(problem?.message ?? '')).toBe(file === broken);
        expect(existsSync(file)).toBe(file === broken);
      }
      expect(readFileSync(broken, 'utf8')).toBe(text);
      rmSync(broken);
      await adapter(host).install({ home, ...options });
    }
  });

  it('keep a server of the same name that claude-mem did not write', async () => {
    const installed = await adapter(host).install({ home, ...options });
    const file = installed.find(({ hasMcpServer }) => hasMcpServer)?.file ?? '';
    await adapter(host).uninstall({ home });
    const foreign = file.endsWith('.toml')
      ? '[mcp_servers.claude-mem]\ncommand = "node"\n'
      : '{"FIELD": {"claude-mem": {"command": "node", "args": ["/theirs.js"]}}}'.replace(
          'FIELD',
          host === 'opencode' ? 'mcp' : 'mcpServers',
        );
    put(file, foreign);
    await expect(adapter(host).install({ home, ...options })).rejects.toThrow(/that we did not write/);
    expect(readFileSync(file, 'utf8')).toBe(foreign);
    expect(await adapter(host).uninstall({ home })).toContainEqual(
      expect.objectContaining({ file, change: 'absent' }),
    );
  });

  it('B034: remain symlinks when a file or its folder is a symlink', async () => {
    const targets = (await filesOf()).filter((file) => !file.endsWith('.js'));
    for (const [index, target] of targets.entries()) {
      const text = target.endsWith('.toml') ? 'a = 1' : '{ }';
      const real = join(home, 'dot files', `${index}.txt`);
      put(real, text);
      chmodSync(real, 0o640);
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(real, target);
      await adapter(host).install({ home, ...options });
      expect(readFileSync(real, 'utf8')).not.toBe(text);
      expect(lstatSync(target).isSymbolicLink()).toBe(true);
      await adapter(host).uninstall({ home });
      expect(readFileSync(real, 'utf8')).toBe(text);
      expect(lstatSync(target).isSymbolicLink()).toBe(true);
      expect(statSync(real).mode & 0o777).toBe(0o640);
    }
    const place = { home, projectDir: join(home, 'shop') };
    const [first] = await adapter(host).install({ ...place, ...options, dryRun: true });
    const top = join(place.projectDir, relative(place.projectDir, first?.file ?? '').split('/')[0] ?? '');
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(place.projectDir);
    symlinkSync(elsewhere, top);
    await adapter(host).install({ ...place, ...options });
    await adapter(host).uninstall(place);
    expect(lstatSync(top).isSymbolicLink()).toBe(true);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('B034: are all left unchanged when one of them is read-only', async () => {
    for (const locked of await filesOf()) {
      if (locked.endsWith('.js')) continue;
      const text = locked.endsWith('.toml') ? 'a = 1' : '{ }';
      put(locked, text);
      chmodSync(locked, 0o444);
      const before = readdirSync(home, { recursive: true }).toSorted();
      await expect(adapter(host).install({ home, ...options })).rejects.toThrow(`${locked} is read-only`);
      expect(readFileSync(locked, 'utf8')).toBe(text);
      expect(readdirSync(home, { recursive: true }).toSorted()).toEqual(before);

      chmodSync(locked, 0o644);
      await adapter(host).install({ home, ...options });
      chmodSync(locked, 0o444);
      const installed = readFileSync(locked, 'utf8');
      for (const { file, change } of await adapter(host).uninstall({ home }))
        expect(change).toBe(file === locked ? 'refused' : 'removed');
      expect(readFileSync(locked, 'utf8')).toBe(installed);
      rmSync(locked);
    }
  });

  it('B034: are not read or replaced when their path is not a regular file', async () => {
    for (const [index, target] of (await filesOf()).entries()) {
      mkdirSync(dirname(target), { recursive: true });
      if (index === 0) symlinkSync('/dev/null', target);
      else mkdirSync(target);
      await expect(adapter(host).install({ home, ...options, dryRun: true })).rejects.toMatchObject({
        code: 'host-adapters/broken-config',
        message: `${target} is not a file. It is left as it is: repair it, then try again.`,
      });
      for (const { file, change } of await adapter(host).uninstall({ home }))
        expect(change).toBe(file === target ? 'refused' : 'absent');
      rmSync(target, { recursive: true });
      symlinkSync(target, target);
      await expect(adapter(host).install({ home, ...options })).rejects.toMatchObject({
        code: 'host-adapters/unreadable-config',
        message: `${target} cannot be read (ELOOP): check its permissions and links, then try again.`,
      });
      rmSync(target);
    }
  });

  it('B034: leave no folder in the home folder when the configuration is outside it', async () => {
    const place = { home: join(home, 'ada'), configDir: join(home, 'moved', 'config') };
    mkdirSync(dirname(place.configDir), { mode: 0o700 });
    await adapter(host).install({ ...place, ...options });
    expect(readdirSync(place.configDir)).not.toEqual([]);
    await adapter(host).uninstall(place);
    expect(readdirSync(home, { recursive: true })).toEqual(['moved']);
  });

  it('B034: leave no new folder behind, and keep every existing folder', async () => {
    const folders = () => readdirSync(home, { recursive: true }).toSorted();
    for (const place of [{ home }, { home, projectDir: join(home, 'shop') }]) {
      await adapter(host).install({ ...place, ...options });
      await adapter(host).uninstall(place);
      if (place.projectDir === undefined) expect(folders()).toEqual([]);
      mkdirSync(dirname((await filesOf())[0] ?? ''), { recursive: true, mode: 0o755 });
      const before = folders();
      await adapter(host).install({ ...place, ...options });
      await adapter(host).uninstall(place);
      expect(folders()).toEqual(before);
      rmSync(home, { recursive: true });
      mkdirSync(home);
    }
  });
});

it('leaves complete files when two concurrent installations are killed', async () => {
  const places = await Promise.all(HOSTS.map((host) => adapter(host).inspect({ home })));
  const targets = places.flat().flatMap(({ file }) => (file.endsWith('.js') ? [] : [file]));
  const befores = targets.map((file) => (file.endsWith('.toml') ? toml['tables'] : json['two spaces']) ?? '');
  for (const [index, file] of targets.entries()) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, befores[index] ?? '');
  }
  const plans = await Promise.all(
    HOSTS.map((host) => adapter(host).install({ home, ...options, dryRun: true })),
  );
  const afters = targets.map((target) => plans.flat().find(({ file }) => file === target)?.after);
  const program = join(home, 'install.mjs');
  const contents = `import { adapterFor } from '../adapter-for.ts';
     const options = ${JSON.stringify({ home, ...options })};
     for (;;) {
       for (const host of ${JSON.stringify(HOSTS)}) {
         await adapterFor(host).install(options);
         await adapterFor(host).uninstall(options);
       }
       process.stdout.write('.');
     }`;
  bundleProgram({ contents, folder: import.meta.dirname }, program);
  const start = async () => {
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (dots: Buffer) => (rounds += dots.length));
    await once(child.stdout, 'data');
    return child;
  };
  let rounds = 0;
  const children = await Promise.all([start(), start()]);
  await expect.poll(() => rounds, { interval: 5 }).toBeGreaterThan(6);
  for (const child of children) {
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
  for (const [index, file] of targets.entries())
    expect([befores[index], afters[index]], file).toContain(readFileSync(file, 'utf8'));
  for (const host of HOSTS) await adapter(host).uninstall({ home });
  expect(targets.map((file) => readFileSync(file, 'utf8'))).toEqual(befores);
}, 60_000);

describe('config.toml of Codex', () => {
  const file = () => join(home, '.codex', 'config.toml');
  const codex = adapter('codex');

  it('keeps text that the host wrote after the table of claude-mem', async () => {
    mkdirSync(dirname(file()));
    writeFileSync(file(), 'model = "x"\n');
    await codex.install({ home, ...options });
    const theirs = '\n[projects."/repos/shop"]\ntrust_level = "trusted"\n';
    writeFileSync(file(), readFileSync(file(), 'utf8') + theirs);
    await codex.install({ home, ...options, dataDir: undefined });
    expect(parse(readFileSync(file(), 'utf8'))).toMatchObject({
      projects: { '/repos/shop': { trust_level: 'trusted' } },
    });
    await codex.uninstall({ home });
    expect(readFileSync(file(), 'utf8')).toBe(`model = "x"\n${theirs}`);
  });

  it('keeps a claude-mem server that was added manually', async () => {
    const manual = '[mcp_servers.claude-mem]\ncommand = "node"\nargs = ["/opt/mcp-server.js"]\n';
    mkdirSync(dirname(file()));
    writeFileSync(file(), manual);
    const [hooks] = await codex.install({ home, ...options });
    expect(hooks).toMatchObject({ change: 'installed' });
    await codex.uninstall({ home });
    expect(readFileSync(file(), 'utf8')).toBe(manual);
  });

  it('is left unchanged when its servers are an inline table', async () => {
    mkdirSync(dirname(file()));
    writeFileSync(file(), 'mcp_servers = { tickets = { command = "node" } }\n');
    await expect(codex.install({ home, ...options })).rejects.toThrow(/takes no further table/);
  });
});

it('finds the MCP servers of Claude Code beside its default folder, or in a custom folder', async () => {
  const fileIn = async (place: object) =>
    (await adapter('claude-code').inspect({ home, ...place })).map(({ file }) => file)[1];
  expect(await fileIn({})).toBe(join(home, '.claude.json'));
  expect(await fileIn({ configDir: join(home, '.claude') })).toBe(join(home, '.claude.json'));
  expect(await fileIn({ configDir: join(home, 'x') })).toBe(join(home, 'x', '.claude.json'));
  expect(await fileIn({ projectDir: join(home, 'shop') })).toBe(join(home, 'shop', '.mcp.json'));
});

it('B166: writes the timeouts of Gemini CLI in milliseconds', async () => {
  const { hooks } = readBack((await adapter('gemini-cli').install({ home, ...options }))[0]?.file ?? '') as {
    hooks: Record<string, { hooks: { timeout: number }[] }[]>;
  };
  const limits = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  expect(limits).toHaveLength(5);
  for (const { timeout } of limits) expect(timeout >= 1_000 && timeout <= 120_000).toBe(true);
});

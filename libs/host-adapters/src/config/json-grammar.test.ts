import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterFor } from '../adapter-for.js';
import type { HostAdapter } from '../host-adapter.js';

const adapter = (host: string) => adapterFor(host) as HostAdapter;
const acceptsComments = (host: string) => host === 'gemini-cli' || host === 'opencode';
const acceptsTrailingCommas = (host: string) => host === 'opencode';
const options = {
  hookScript: '/opt/hook.sh',
  mcpServer: { node: '/usr/bin/node', script: '/opt/mcp-server.js' },
};

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'grammar-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

describe.each(['claude-code', 'cursor', 'codex', 'gemini-cli', 'opencode'])(
  'the JSON files of %s',
  (host) => {
    const filesOf = async () => (await adapter(host).inspect({ home })).map(({ file }) => file);

    it('R16: are left unchanged and reported with the line when the host rejects their comment or trailing comma', async () => {
      const targets = (await filesOf()).filter((file) => /\.json$/.test(file));
      expect(targets).not.toEqual([]);
      const cases: [string, boolean, RegExp][] = [
        ['{\n  "a": "//",\n  // mine\n  "b": 1\n}', acceptsComments(host), /a comment at line 3, column 3/],
        ['{"a": [1, /* two */ 2]}', acceptsComments(host), /a comment at line 1, column 11/],
        ['{\n  "a": "x,]",\n}', acceptsTrailingCommas(host), /last element at line 2, column 13/],
        ['{\n  "a": [1,\n  ]\n}', acceptsTrailingCommas(host), /last element at line 2, column 10/],
      ];
      for (const target of targets)
        for (const [text, isAccepted, problem] of cases) {
          put(target, text);
          const message = expect.stringMatching(problem) as string;
          const found = async () =>
            (await adapter(host).inspect({ home })).find(({ file }) => file === target);
          if (isAccepted) {
            await adapter(host).install({ home, ...options });
            expect(await found()).toMatchObject({ file: target });
            expect((await found())?.problem).toBeUndefined();
          } else {
            await expect(adapter(host).install({ home, ...options })).rejects.toMatchObject({
              code: 'host-adapters/broken-config',
              message,
            });
            expect(readFileSync(target, 'utf8')).toBe(text);
            expect((await found())?.problem).toMatchObject({ message });
          }
          await adapter(host).uninstall({ home });
          expect(readFileSync(target, 'utf8')).toBe(text);
          rmSync(target);
        }
    });

    it('R16: lose the entries of claude-mem even when the host rejects the file', async () => {
      const [first] = (await adapter(host).install({ home, ...options })).filter(({ file }) =>
        file.endsWith('.json'),
      );
      const { file = '', after } = first ?? {};
      put(file, `// mine\n${after}`);
      await adapter(host).uninstall({ home });
      expect(readFileSync(file, 'utf8')).not.toContain('claude-mem');
      expect(readFileSync(file, 'utf8')).toContain('// mine\n');
    });
  },
);

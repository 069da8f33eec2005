import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildSqlite, describeBuildFailure, findMissingTools, findNodeHeaders } from './build-sqlite.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cm-build-sqlite-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('findNodeHeaders', () => {
  const execPath = () => path.join(folder, 'bin', 'node');
  const writeHeaders = (abi: string) => {
    mkdirSync(path.join(folder, 'include', 'node'), { recursive: true });
    const text = `#define NODE_MAJOR_VERSION 20\n#define NODE_MODULE_VERSION ${abi}\n`;
    writeFileSync(path.join(folder, 'include', 'node', 'node_version.h'), text);
  };

  it('returns the folder beside the binary when its headers are of the same Node version', () => {
    writeHeaders('115');
    expect(findNodeHeaders({ execPath: execPath(), abi: '115' })).toBe(folder);
  });

  it('returns null when the headers are of another Node version or absent', () => {
    expect(findNodeHeaders({ execPath: execPath(), abi: '115' })).toBeNull();
    writeHeaders('108');
    expect(findNodeHeaders({ execPath: execPath(), abi: '115' })).toBeNull();
  });
});

describe('findMissingTools', () => {
  it('lists the build tools that are in no folder of PATH', () => {
    for (const program of ['python3', 'clang++']) writeFileSync(path.join(folder, program), '');
    expect(findMissingTools({ PATH: folder, platform: 'linux' })).toEqual(['make']);
  });

  it('finds nothing missing on Windows, where node-gyp searches for Visual Studio itself', () => {
    expect(findMissingTools({ PATH: folder, platform: 'win32' })).toEqual([]);
  });
});

describe('describeBuildFailure', () => {
  const describe = (parts: Partial<Parameters<typeof describeBuildFailure>[0]>) =>
    describeBuildFailure({
      missing: [],
      headers: '/usr',
      output: '',
      platform: 'linux',
      osRelease: 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
      ...parts,
    }).split('\n');

  it('names the missing tools, the system, and the command that installs the tools', () => {
    const lines = describe({ missing: ['make', 'a C++ compiler'] });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('missing: make, a C++ compiler');
    expect(lines[1]).toContain('Debian GNU/Linux 12 (bookworm)');
    expect(lines[2]).toBe('Run: apt-get install -y python3 make g++');
  });

  it.each([
    ['ID=ubuntu\nID_LIKE=debian', 'apt-get install -y python3 make g++'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"', 'dnf install -y python3 make gcc-c++'],
    ['ID="opensuse-leap"\nID_LIKE="suse opensuse"', 'zypper install -y python3 make gcc-c++'],
    ['ID=alpine', 'apk add python3 make g++'],
    ['ID=unheard-of', 'install python3, make and g++ with your package manager'],
  ])('names the install command for the system in os-release: %s', (osRelease, command) => {
    expect(describe({ missing: ['make'], osRelease })[2]).toBe(`Run: ${command}`);
  });

  it('names the headers when all tools are installed and only the headers are absent', () => {
    const lines = describe({ headers: null });
    expect(lines[0]).toContain('the Node headers are not installed and could not be downloaded');
    expect(lines[2]).toContain('npm_config_nodedir=');
  });

  it('quotes the last error of the compiler when nothing is missing', () => {
    const output =
      'npm error sqlite3.c:1: error: disk full\nnpm error gyp ERR! not ok\nnpm error A complete log of this run';
    expect(describe({ output })[0]).toContain('sqlite3.c:1: error: disk full');
  });
});

describe('buildSqlite', () => {
  it('throws three lines and keeps the output of npm as the cause when the build fails', async () => {
    const failure = new Error('npm rebuild better-sqlite3 ended with 1\nnpm error gyp ERR! not ok');
    const build = buildSqlite(() => Promise.reject(failure));
    await expect(build).rejects.toThrow(/^[^\n]+\n[^\n]+\n[^\n]+$/);
    await expect(build).rejects.toMatchObject({ cause: failure });
  });
});

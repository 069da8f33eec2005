// Builds the SQLite driver for the running Node. Plain Node: this file runs before any package is installed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * This option is needed, because npm compiles nothing and reports no error when the user's npm configuration disables
 * install scripts.
 */
const REBUILD = ['rebuild', 'better-sqlite3', '--ignore-scripts=false'];

/** Programs that node-gyp needs to compile the driver. Any one program of a row is enough. */
const BUILD_TOOLS = {
  python3: ['python3', 'python'],
  make: ['make', 'gmake'],
  'a C++ compiler': ['c++', 'g++', 'clang++'],
};

/** Linux distribution (ID or ID_LIKE of os-release) → command that installs the build tools. */
const LINUX_INSTALL_COMMANDS = {
  debian: 'apt-get install -y python3 make g++',
  fedora: 'dnf install -y python3 make gcc-c++',
  suse: 'zypper install -y python3 make gcc-c++',
  alpine: 'apk add python3 make g++',
  arch: 'pacman -S --noconfirm python make gcc',
};

/**
 * Compiles better-sqlite3 through npm. Where the Node headers are installed beside the binary, node-gyp uses them
 * instead of a download.
 * @param run runs a program: (command, arguments, { env }) => Promise
 * @throws Error with three lines: what is missing, on which system, and the command to run
 */
export async function buildSqlite(run) {
  const headers = findNodeHeaders();
  try {
    await run('npm', REBUILD, { env: headers ? { npm_config_nodedir: headers } : {} });
  } catch (error) {
    const reason = describeBuildFailure({ missing: findMissingTools(), headers, output: error.message });
    throw new Error(reason, { cause: error });
  }
}

/**
 * Finds the folder whose `include/node` contains the headers of the running Node, for the `nodedir` option of node-gyp.
 * Official archives, container images, and Debian install the headers there.
 * @returns null when there are no headers, or headers of another Node version
 */
export function findNodeHeaders({ execPath = process.execPath, abi = process.versions.modules } = {}) {
  const folder = path.resolve(path.dirname(execPath), '..');
  try {
    const header = readFileSync(path.join(folder, 'include/node/node_version.h'), 'utf8');
    return /^#define NODE_MODULE_VERSION (\d+)/m.exec(header)?.[1] === abi ? folder : null;
  } catch {
    return null;
  }
}

/** Lists the build tools that are missing from PATH. Empty on Windows, where node-gyp searches for Visual Studio. */
export function findMissingTools({ PATH = process.env.PATH ?? '', platform = process.platform } = {}) {
  if (platform === 'win32') return [];
  const folders = PATH.split(path.delimiter).filter(Boolean);
  const isInstalled = (program) => folders.some((folder) => existsSync(path.join(folder, program)));
  return Object.keys(BUILD_TOOLS).filter((tool) => !BUILD_TOOLS[tool].some(isInstalled));
}

/** @returns three lines: what is missing, on which system, and the command to run */
export function describeBuildFailure({
  missing,
  headers,
  output,
  platform = process.platform,
  osRelease = readOsRelease(),
}) {
  const { name, installCommand } = describeSystem(platform, osRelease);
  const problem =
    missing.length > 0
      ? `missing: ${missing.join(', ')}`
      : headers === null
        ? 'the Node headers are not installed and could not be downloaded'
        : lastErrorLine(output);
  return [
    `The SQLite driver cannot be compiled for Node ${process.versions.node}: ${problem}.`,
    `System: ${name}, ${process.arch}. Node 22.12 or newer includes a compiled driver for most systems.`,
    missing.length > 0 || platform === 'win32'
      ? `Run: ${installCommand}`
      : headers === null
        ? 'Run: npm_config_nodedir=FOLDER npm start   (FOLDER/include/node has the headers of this Node)'
        : `Run: npm ${REBUILD.join(' ')}   (shows the complete compiler output)`,
  ].join('\n');
}

function describeSystem(platform, osRelease) {
  if (platform === 'darwin') return { name: 'macOS', installCommand: 'xcode-select --install' };
  if (platform === 'win32')
    return {
      name: 'Windows',
      installCommand: 'winget install Microsoft.VisualStudio.2022.BuildTools Python.Python.3.13',
    };
  const valueOf = (key) => new RegExp(`^${key}="?([^"\\n]*)`, 'm').exec(osRelease)?.[1] ?? '';
  const families = [valueOf('ID'), ...valueOf('ID_LIKE').split(' ')];
  const family = families.find((id) => id in LINUX_INSTALL_COMMANDS);
  return {
    name: valueOf('PRETTY_NAME') || platform,
    installCommand:
      LINUX_INSTALL_COMMANDS[family] ?? 'install python3, make and g++ with your package manager',
  };
}

function readOsRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

function lastErrorLine(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.findLast((line) => /error/i.test(line) && !/not ok|complete log/.test(line)) ?? lines.at(-1);
}

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.js';
import { killLeftovers } from './process-census.js';

export type Environment = Record<string, string>;

/** An empty home folder for one test, with the environment for child processes. */
export interface TempHome extends AsyncDisposable {
  /** Folder that contains all other folders. */
  root: string;
  home: string;
  dataDir: string;
  /** A working folder that is not a repository. */
  project: string;
  port: number;
  /** Complete environment of child processes. It inherits only PATH, the language and the temporary folder. */
  env: Environment;
}

export interface TempHomeOptions {
  /** Name of the home folder, for example with spaces. @default 'home' */
  name?: string;
  /** Data directory, relative to the home. @default '.claude-mem' */
  dataDir?: string;
  env?: Environment;
}

/** Creates a home. Disposal ends all processes of its data folder and removes the folders. */
export async function createTempHome(options: TempHomeOptions = {}): Promise<TempHome> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'cm-')));
  const home = path.join(root, options.name ?? 'home');
  const project = path.join(home, 'work', 'demo');
  const dataDir = path.join(home, options.dataDir ?? '.claude-mem');
  mkdirSync(project, { recursive: true });
  const port = await freePort();
  const env = {
    ...inherited(),
    HOME: home,
    CLAUDE_MEM_DATA_DIR: dataDir,
    CLAUDE_MEM_WORKER_PORT: String(port),
    ...options.env,
  };
  // A worker that is started by a hook reads the embedder only from the settings file.
  const embedder = options.env?.['CLAUDE_MEM_EMBEDDER'];
  if (embedder !== undefined) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ CLAUDE_MEM_EMBEDDER: embedder }), {
      mode: 0o600,
    });
  }
  return {
    root,
    home,
    dataDir,
    project,
    port,
    env,
    async [Symbol.asyncDispose]() {
      await killLeftovers(dataDir);
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** Other variables are not inherited: additional certificates alone add 40 ms to each start of Node. */
function inherited(): Environment {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

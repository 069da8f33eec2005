import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.js';
import { killLeftovers } from './process-census.js';

export type Environment = Record<string, string>;

/** An empty home of its own for one test, with everything that a spawned process must be told about it. */
export interface TempHome extends AsyncDisposable {
  /** Holds all the others. */
  root: string;
  home: string;
  dataDir: string;
  /** A folder to work in that is no repository. */
  project: string;
  port: number;
  /** The whole environment for spawned processes: nothing of the caller's but PATH, language and temp folder. */
  env: Environment;
}

export interface TempHomeOptions {
  /** Name of the home folder, e.g. with spaces. @default 'home' */
  name?: string;
  /** Data directory, relative to the home. @default '.claude-mem' */
  dataDir?: string;
  /** Added to the environment. */
  env?: Environment;
}

/** Disposal ends every process that was started for its data directory and removes the folders. */
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
  // a worker that a hook starts takes the embedder only from the file
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

/** Not the caller's whole environment: its extra certificates alone cost every Node start 40 ms. */
function inherited(): Environment {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

import { resolve } from 'node:path';
import { expandPath } from '@claude-mem/settings';

type Environment = Readonly<Record<string, string | undefined>>;

/** Adds the data directory of the command line to the environment. */
export function withDataDir(
  env: Environment,
  dataDir: string | boolean | undefined,
  { home, cwd }: { home: string; cwd: string },
): Environment {
  if (typeof dataDir !== 'string' || dataDir === '') return env;
  const path = dataDir.startsWith('~') ? expandPath(dataDir, home) : resolve(cwd, dataDir);
  return { ...env, CLAUDE_MEM_DATA_DIR: path };
}

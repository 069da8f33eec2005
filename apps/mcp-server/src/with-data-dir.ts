import { resolve } from 'node:path';
import { expandPath } from '@claude-mem/settings';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the data directory that was asked for on the command line, as every command reads it. */
export function withDataDir(
  env: Environment,
  asked: string | boolean | undefined,
  { home, cwd }: { home: string; cwd: string },
): Environment {
  if (typeof asked !== 'string' || asked === '') return env;
  const dataDir = asked.startsWith('~') ? expandPath(asked, home) : resolve(cwd, asked);
  return { ...env, CLAUDE_MEM_DATA_DIR: dataDir };
}

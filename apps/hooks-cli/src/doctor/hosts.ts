import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, warn, type Check, type Finding } from './check.js';

/** What the command lines of our hooks end with. */
const OUR_HOOK = /# claude-mem hook\b/;

export const hooksCheck: Check = {
  title: 'hooks',
  run({ env, home, cwd }) {
    const folders = [env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), join(cwd, '.claude')];
    const files = [...new Set(folders.map((folder) => join(folder, 'settings.json')))].filter(existsSync);
    const found = files.map((file) => ({ file, commands: ourCommands(file) }));
    const installed = found.filter(({ commands }) => commands.length > 0);
    if (installed.length === 0)
      return warn('not in the settings of claude-code', 'Run: claude-mem install --host claude-code');
    return missingScript(installed) ?? ok(`claude-code: ${installed.map(({ file }) => file).join(', ')}`);
  },
};

function ourCommands(file: string): string[] {
  const found: string[] = [];
  const search = (value: unknown): void => {
    if (typeof value === 'string' && OUR_HOOK.test(value)) found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(search);
  };
  try {
    search(JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}

function missingScript(installed: readonly { file: string; commands: readonly string[] }[]): Finding | null {
  for (const { file, commands } of installed)
    for (const command of commands) {
      const quoted = /\bsh '((?:[^']|'\\'')*)'/.exec(command)?.[1];
      const script = quoted?.replaceAll("'\\''", "'");
      if (script !== undefined && !existsSync(script))
        return fail(`${file} runs ${script}, which is gone`, 'Run: claude-mem install --host claude-code');
    }
  return null;
}

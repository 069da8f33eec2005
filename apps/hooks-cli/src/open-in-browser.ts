import type { CommandContext } from './command.js';
import { spawnQuiet } from './spawn-quiet.js';

/** What is still running then has a browser of its own, and is left alone. */
const PATIENCE_MS = 2_000;

/** Hands an address to the desktop. False where there is none, or nothing that takes it. */
export async function openInBrowser(url: string, { env }: Pick<CommandContext, 'env'>): Promise<boolean> {
  for (const [program, ...args] of openersFor(env)) {
    if (await runsWell(program, [...args, url], env)) return true;
  }
  return false;
}

type Opener = readonly [program: string, ...args: string[]];

function openersFor(env: CommandContext['env']): readonly Opener[] {
  if (process.platform === 'darwin') return [['open']];
  if (process.platform === 'win32') return [['cmd', '/c', 'start', '']];
  if (env['WSL_DISTRO_NAME']) return [['wslview'], ['cmd.exe', '/c', 'start', '']];
  // without a screen it would take a browser for terminals, which cannot show it
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? [['xdg-open']] : [];
}

function runsWell(program: string, args: readonly string[], env: CommandContext['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnQuiet(program, args, { env: { ...env }, detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => resolve(true), PATIENCE_MS);
    child.once('error', () => {
      clearTimeout(timer);
      resolve(false);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
    child.unref();
  });
}

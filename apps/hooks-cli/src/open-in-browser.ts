import type { CommandContext } from './command.js';
import { spawnQuiet } from './spawn-quiet.js';

/** An opener that still runs after this time counts as successful, because it can be the browser itself. */
const OPENER_TIMEOUT_MS = 2_000;

/** Opens an address in the default browser. Resolves with false when there is no desktop or no opener succeeds. */
export async function openInBrowser(url: string, { env }: Pick<CommandContext, 'env'>): Promise<boolean> {
  for (const [program, ...args] of openersFor(env)) {
    if (await runOpener(program, [...args, url], env)) return true;
  }
  return false;
}

type Opener = readonly [program: string, ...args: string[]];

function openersFor(env: CommandContext['env']): readonly Opener[] {
  if (process.platform === 'darwin') return [['open']];
  if (process.platform === 'win32') return [['cmd', '/c', 'start', '']];
  if (env['WSL_DISTRO_NAME']) return [['wslview'], ['cmd.exe', '/c', 'start', '']];
  // without a display, xdg-open starts a text browser, which cannot show the viewer
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? [['xdg-open']] : [];
}

function runOpener(program: string, args: readonly string[], env: CommandContext['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnQuiet(program, args, { env: { ...env }, detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => resolve(true), OPENER_TIMEOUT_MS);
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

/** Where an event came from and what the host's environment says about it. */
export interface HookCall {
  host: string;
  event: string;
  /** Of the program that this hook belongs to; null when it is not known. */
  version: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

/** What may become part of a file name and of a URL; anything else counts as `unknown`. */
export function plainName(name: string | undefined): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name ?? '') ? String(name) : 'unknown';
}

/** The same rule as hook.sh: switched off for this environment, or called by the observer's own child. */
export function isSwitchedOff(env: HookCall['env']): boolean {
  return Boolean(env['CLAUDE_MEM_OBSERVER']) || /^(0|false|no|off)$/i.test(env['CLAUDE_MEM_ENABLED'] ?? '');
}

/** The lines before the host's bytes. */
export function writeHeader({ host, event, version, env }: HookCall, eventId: string): string {
  const lines = [
    ['host', host],
    ['event', event],
    ['event-id', eventId],
    ['version', version],
    ['project-dir', env['CLAUDE_PROJECT_DIR'] || env['CURSOR_PROJECT_DIR'] || env['GEMINI_PROJECT_DIR']],
    ['entrypoint', env['CLAUDE_CODE_ENTRYPOINT']],
    ['cursor-version', env['CURSOR_VERSION']],
  ].filter(([, value]) => value && !hasControl(value));
  return `${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`;
}

// eslint-disable-next-line no-control-regex -- a line break in a value would begin another line
const hasControl = (value: string) => /[\u0000-\u001f\u007f]/.test(value);

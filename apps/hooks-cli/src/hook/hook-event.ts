/** Source of an event. */
export interface HookCall {
  host: string;
  event: string;
  /** Version of this hook. Null when it is not known. */
  version: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

/** Returns the name if it is safe in a file name and a URL, otherwise `unknown`. */
export function plainName(name: string | undefined): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name ?? '') ? String(name) : 'unknown';
}

/** Whether claude-mem is disabled in this environment, or the hook runs inside the observer. The same rule is in hook.sh. */
export function isSwitchedOff(env: HookCall['env']): boolean {
  return Boolean(env['CLAUDE_MEM_OBSERVER']) || /^(0|false|no|off)$/i.test(env['CLAUDE_MEM_ENABLED'] ?? '');
}

/** Returns the header lines of the envelope. */
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

// eslint-disable-next-line no-control-regex -- a line break in a value would start another header line
const hasControl = (value: string) => /[\u0000-\u001f\u007f]/.test(value);

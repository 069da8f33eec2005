import { MAX_REPLY_TOKENS } from '../model/reply-limits.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables that a program needs to run and to find the user's login. Keys, accounts and addresses of the vendor are
 * not included: a variable of a shell or project must not change who pays.
 */
const PASSED_ON: ReadonlySet<string> = new Set([
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'CLAUDE_CONFIG_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  // Windows
  ...[
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'USERNAME',
    'USERDOMAIN',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
  ],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'CLAUDE_CODE_GIT_BASH_PATH'],
]);
const PASSED_ON_PREFIXES = ['LC_', 'XDG_'];

/** Tells the hooks of claude-mem that the session belongs to the observer. */
const MARKER = { CLAUDE_MEM_OBSERVER: '1' };

const OPT_OUTS = {
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_BUG_COMMAND: '1',
  DISABLE_AUTO_COMPACT: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1',
  CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
  // The prompt quotes user text, and `@name` in it must not attach a file.
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
};

/** The queue retries, and one call must be one request. */
const ONE_REQUEST = {
  CLAUDE_CODE_MAX_RETRIES: '0',
  API_TIMEOUT_MS: '180000',
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: '1',
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: '1',
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(MAX_REPLY_TOKENS),
};

/** Returns the complete environment of a Claude Code child process, selected from the environment of the worker. */
export function childEnvironment(env: Environment): Record<string, string> {
  const passedOn: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isPassedOn(name.toUpperCase())) passedOn[name] = value;
  }
  return { ...passedOn, ...OPT_OUTS, ...ONE_REQUEST, ...MARKER };
}

const isPassedOn = (name: string) =>
  PASSED_ON.has(name) || PASSED_ON_PREFIXES.some((prefix) => name.startsWith(prefix));

import type { HostEvent, HostName } from '@claude-mem/core';
import type { HostAdaptersError } from './host-adapters-error.js';

/** The header of the hook's envelope. Names are those of the envelope in camelCase. */
export interface HookEnv {
  /** The host's project folder (CLAUDE_PROJECT_DIR and similar). */
  projectDir?: string | undefined;
  /** How the host was started, such as `cli` or `sdk-ts`. */
  entrypoint?: string | undefined;
  /** Created by the hook. Equal for all deliveries of one run. */
  eventId?: string | undefined;
  [name: string]: string | undefined;
}

/**
 * The result of reading a hook's input. `reason` and `message` are for the log and never contain text of the payload.
 */
export type HookReading =
  /**
   * `readFile`: path of the file that the agent has read, when the host takes the history of the file as the answer. `takesFix`: the
   * host takes the earlier fix of an error as the answer.
   */
  | { kind: 'event'; event: HostEvent; readFile?: string; takesFix?: true }
  | { kind: 'ignored'; reason: string; contentSessionId: string | null }
  | { kind: 'invalid'; message: string };

/** The context for a host. */
export interface HookAnswer {
  /** For the agent. */
  context?: string | undefined;
  /** For the user. */
  notice?: string | undefined;
}

/** Our own paths and processes, whose events are not captured. */
export interface AdapterOptions {
  /** The data folder: file tools on it are ignored. */
  dataDir?: string | undefined;
  /** Working folder of the observer's child processes, whose events are ignored. */
  observerDir?: string | undefined;
  /** The user's home folder, for `~` in payload paths. */
  home?: string | undefined;
}

/** The location of a configuration: the user's or a project's. */
export interface HostPlace {
  /** The user's home folder. */
  home: string;
  /** The host's configuration folder if configured (CLAUDE_CONFIG_DIR, CODEX_HOME). */
  configDir?: string | undefined;
  /** The folder of a project, to configure the project instead of the user. */
  projectDir?: string | undefined;
}

export interface UninstallOptions extends HostPlace {
  /** Only reports what would change. @default false */
  dryRun?: boolean | undefined;
}

/**
 * How a host starts our MCP server. Absolute paths, because hosts that were started from a desktop do not have the
 * PATH of a shell.
 */
export interface McpServer {
  node: string;
  script: string;
}

export interface InstallOptions extends UninstallOptions {
  /** Absolute path of hook.sh. */
  hookScript: string;
  /** Without it, no MCP server is installed, and an existing one is removed. */
  mcpServer?: McpServer | undefined;
  /** The data folder if it is not the default. Set in the environment of all programs that the host starts. */
  dataDir?: string | undefined;
  /**
   * Version of the host, such as `2.1.332`. An old version gets no event that it does not know, because it would
   * ignore all its settings. @default a current one
   */
  hostVersion?: string | undefined;
}

/** Our entries in one file of a host. */
export interface OwnConfig {
  file: string;
  /** Events with our hooks. */
  events: readonly string[];
  hasMcpServer: boolean;
  /** The scripts that our entries start. */
  programs: readonly string[];
  /** Fields that the user added to our entries or changed in them. An update keeps them. */
  extras: readonly string[];
  /** Why the file could not be read. */
  problem?: HostAdaptersError;
}

/** The change of one file. A removal reports the entries before the removal. */
export interface InstallResult extends OwnConfig {
  /**
   * `installed`, `updated` and `removed` wrote the file. `unchanged` and `absent` found nothing to do. `refused` left
   * it unchanged because of its `problem`; only `uninstall` then continues with the other files.
   */
  change: 'installed' | 'updated' | 'unchanged' | 'removed' | 'absent' | 'refused';
  /** The content of the file. Null when there is no file. */
  before: string | null;
  after: string | null;
}

/** All code for one host. */
export interface HostAdapter {
  name: HostName;
  /** Names of all known hook events, including ignored ones. */
  events: readonly string[];
  /** The host's folder in the home and in a project, and the file in it that `install` edits. */
  configFolder: string;
  configFile: string;
  /**
   * True when the host does not keep the context of a session start reliably. The first prompt is then answered with
   * it. @default false
   */
  takesContextWithPrompt?: boolean;
  /** Never throws, whatever the payload contains. */
  readEvent(input: { event: string; payload: unknown; env: HookEnv }): HookReading;
  /** The exact text for the hook's standard output. Empty when the host expects none. */
  writeAnswer(event: string, answer: HookAnswer): string;
  /**
   * Adds our entries to the host's files, or updates older ones. All other bytes stay equal. Returns one result per
   * file. When one file cannot be read or written, all stay unchanged.
   */
  install(options: InstallOptions): Promise<readonly InstallResult[]>;
  /** Removes our entries, even when another file is invalid. After `install`, this restores the original files. */
  uninstall(options: UninstallOptions): Promise<readonly InstallResult[]>;
  /** Our entries in the host's files. */
  inspect(place: HostPlace): Promise<readonly OwnConfig[]>;
  /** The id of our plugin that the host runs, which contains hooks and MCP server. */
  findPlugin?(place: HostPlace): string | null;
  /** The id of a plugin of another program that is also named claude-mem. */
  findOtherPlugin?(place: HostPlace): string | null;
  /** What the user has to do after an installation, as one sentence. */
  nextStep?: string;
}

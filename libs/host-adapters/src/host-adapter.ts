import type { HostEvent, HostName } from '@claude-mem/core';
import type { HostAdaptersError } from './host-adapters-error.js';

/** What the hook's envelope says besides the host's own payload. Names are the envelope's, in camelCase. */
export interface HookEnv {
  /** The host's project folder (CLAUDE_PROJECT_DIR and the like). */
  projectDir?: string | undefined;
  /** How the host was started, such as `cli` or `sdk-ts`. */
  entrypoint?: string | undefined;
  /** Made by the hook: the same for one run of it, however often it is delivered. */
  eventId?: string | undefined;
  [name: string]: string | undefined;
}

/** What a hook's input turned out to be. `reason` and `message` are for the log and never hold text of the payload. */
export type HookReading =
  /**
   * `readFile`: path of the file that the agent has read, when the host takes the history of the file as the answer. `takesFix`: the
   * host takes the earlier fix of an error as the answer.
   */
  | { kind: 'event'; event: HostEvent; readFile?: string; takesFix?: true }
  | { kind: 'ignored'; reason: string; contentSessionId: string | null }
  | { kind: 'invalid'; message: string };

/** What we want to tell a host. */
export interface HookAnswer {
  /** For the agent. */
  context?: string | undefined;
  /** For the person in front of the host. */
  notice?: string | undefined;
}

/** What an adapter must know of our own places to leave events about ourselves out. */
export interface AdapterOptions {
  /** The memory's folder: file tools that touch it are ignored. */
  dataDir?: string | undefined;
  /** Working folder of our observer's own processes: events from there are ignored. */
  observerDir?: string | undefined;
  /** The person's home folder, for `~` in paths of a payload. */
  home?: string | undefined;
}

/** Whose configuration: the person's, or one project's. */
export interface HostPlace {
  /** The person's home folder. */
  home: string;
  /** The host's configuration folder where it is not the usual one (CLAUDE_CONFIG_DIR, CODEX_HOME). */
  configDir?: string | undefined;
  /** For one project instead of the person: the project's folder. */
  projectDir?: string | undefined;
}

export interface UninstallOptions extends HostPlace {
  /**
   * Only tells what would change.
   * @default false
   */
  dryRun?: boolean | undefined;
}

/** How a host starts our MCP server. Absolute paths, since hosts started from a desktop have no PATH of a shell. */
export interface McpServer {
  node: string;
  script: string;
}

export interface InstallOptions extends UninstallOptions {
  /** Absolute path of hook.sh. */
  hookScript: string;
  /** Without it the host gets no MCP server of ours, and loses one that it had. */
  mcpServer?: McpServer | undefined;
  /** Given when it is not the usual one: set in the environment of all that the host starts. */
  dataDir?: string | undefined;
  /**
   * Version of the host, such as `2.1.332`. An old one gets no event that it does not know, since it would drop all its
   * settings for it.
   * @default a current one
   */
  hostVersion?: string | undefined;
}

/** What of ours stands in one file of a host. */
export interface OwnConfig {
  file: string;
  /** Events our hooks stand at. */
  events: readonly string[];
  hasMcpServer: boolean;
  /** The scripts that our entries start. */
  programs: readonly string[];
  /** Fields that a person added to our entries or changed in them: they stay when ours are brought up to date. */
  extras: readonly string[];
  /** Why nothing is known of the file. */
  problem?: HostAdaptersError;
}

/** What was done to one file; what stands there is what stood there when it was taken out. */
export interface InstallResult extends OwnConfig {
  /**
   * `installed`, `updated` and `removed` wrote the file; `unchanged` and `absent` found nothing to do; `refused` left it as it
   * is, for its `problem`. Only `uninstall` goes on then, with the other files.
   */
  change: 'installed' | 'updated' | 'unchanged' | 'removed' | 'absent' | 'refused';
  /** The file's text; null where there is no file. */
  before: string | null;
  after: string | null;
}

/** Everything that is particular to one host. */
export interface HostAdapter {
  name: HostName;
  /** Names of the hook events it knows, also those it ignores. */
  events: readonly string[];
  /** The host's own folder in the home and in a project, and the file in it that `install` edits. */
  configFolder: string;
  configFile: string;
  /**
   * The host does not keep what it is given at a session's start, or not well: the first prompt is answered with it.
   * @default false
   */
  takesContextWithPrompt?: boolean;
  /** Never throws, whatever the payload is. */
  readEvent(input: { event: string; payload: unknown; env: HookEnv }): HookReading;
  /** The exact text for the hook's standard output; empty where the host expects nothing. */
  writeAnswer(event: string, answer: HookAnswer): string;
  /**
   * Adds ours to the host's own files, or replaces what is older. Everything else stays byte-equal. One result per file. When one
   * file cannot be read or written, all stay as they are.
   */
  install(options: InstallOptions): Promise<readonly InstallResult[]>;
  /** Takes ours out again, also from beside a file that is broken; after `install` this gives the files as they were. */
  uninstall(options: UninstallOptions): Promise<readonly InstallResult[]>;
  /** What of ours stands in the host's files. */
  inspect(place: HostPlace): Promise<readonly OwnConfig[]>;
  /** The id of a plugin of ours that the host runs, which brings hooks and MCP server by itself. */
  findPlugin?(place: HostPlace): string | null;
  /** The id of a plugin that the host runs for another program that is also named claude-mem. */
  findOtherPlugin?(place: HostPlace): string | null;
  /** What the person has to do after an installation, as one sentence. */
  nextStep?: string;
}

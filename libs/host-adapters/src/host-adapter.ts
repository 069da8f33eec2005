import type { HostEvent, HostName } from '@claude-mem/core';

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

/** The host is about to read a file: its agent may be told what is remembered of it. Nothing of this is stored. */
export interface FileQuestion {
  host: HostName;
  contentSessionId: string;
  cwd: string | null;
  projectDir: string | null;
  /** Set when a sub-agent reads. */
  agentId: string | null;
  /** As the host wrote it: absolute, or from `cwd`. */
  path: string;
}

/** What a hook's input turned out to be. `reason` and `message` are for the log and never hold text of the payload. */
export type HookReading =
  | { kind: 'event'; event: HostEvent }
  | { kind: 'question'; question: FileQuestion }
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

export interface UninstallOptions {
  /** The person's home folder. */
  home: string;
  /** The host's configuration folder where it is not the usual one (CLAUDE_CONFIG_DIR). */
  configDir?: string | undefined;
  /** For one project instead of the person: the project's folder. */
  projectDir?: string | undefined;
}

export interface InstallOptions extends UninstallOptions {
  /** Absolute path of hook.sh. */
  hookScript: string;
  /** Given when it is not the usual one: set in the environment of every hook. */
  dataDir?: string | undefined;
  /**
   * Version of the host, such as `2.1.332`. An old one gets no event that it does not know, since it would drop all its
   * settings for it.
   * @default a current one
   */
  hostVersion?: string | undefined;
}

export interface InstallResult {
  /** `installed`, `updated` and `removed` wrote the file; `unchanged` and `absent` found nothing to do. */
  change: 'installed' | 'updated' | 'unchanged' | 'removed' | 'absent';
  /** The host's file this is about. */
  file: string;
  /** Events our entries stand (or stood) at. */
  events: readonly string[];
}

/** Everything that is particular to one host. */
export interface HostAdapter {
  name: HostName;
  /** Names of the hook events it knows, also those it ignores. */
  events: readonly string[];
  /** The host's own folder in the home and in a project, and the file in it that `install` edits. */
  configFolder: string;
  configFile: string;
  /** Never throws, whatever the payload is. */
  readEvent(input: { event: string; payload: unknown; env: HookEnv }): HookReading;
  /** The exact text for the hook's standard output; empty where the host expects nothing. */
  writeAnswer(event: string, answer: HookAnswer): string;
  /** Adds our hooks to the host's own configuration, or replaces older ones of ours. Everything else stays byte-equal. */
  install(options: InstallOptions): Promise<InstallResult>;
  /** Takes our hooks out again; after `install` this gives the file as it was. */
  uninstall(options: UninstallOptions): Promise<InstallResult>;
}

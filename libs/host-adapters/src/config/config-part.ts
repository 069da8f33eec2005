import type { JsonGrammar } from './json-grammar.js';
import type { HostPlace, InstallOptions, OwnConfig } from '../host-adapter.js';

export type OwnEntries = Omit<OwnConfig, 'file' | 'problem'>;

/** One part of our configuration in a file of a host. Texts are file contents; null means no file. */
export interface ConfigPart {
  fileOf(place: HostPlace): string;
  /** The grammar of the host. Without it, `add` and `remove` report what the host rejects. */
  grammar?: JsonGrammar;
  /**
   * Adds the part to a text. Returns the same text when the options do not request the part. `kept` is the value that
   * `remove` returned.
   */
  add(
    text: string | null,
    options: InstallOptions,
    kept?: string,
  ): { text: string | null } | { problem: string };
  /** Removes the part. After `add`, this returns the original text. `kept` contains the additions of the user. */
  remove(text: string | null): { text: string | null; own: OwnEntries; kept?: string } | { problem: string };
}

export const NOTHING: OwnEntries = { events: [], hasMcpServer: false, programs: [], extras: [] };

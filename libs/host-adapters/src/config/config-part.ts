import type { JsonGrammar } from './json-grammar.js';
import type { HostPlace, InstallOptions, OwnConfig } from '../host-adapter.js';

export type OwnEntries = Omit<OwnConfig, 'file' | 'problem'>;

/** Something of ours in one file of a host: text in, text out; null is no file. */
export interface ConfigPart {
  fileOf(place: HostPlace): string;
  /** How the host reads the file; without it, `add` and `remove` report what the host refuses. */
  grammar?: JsonGrammar;
  /** Adds ours to a text without it; the same text when the options ask for nothing here. `kept` is what `remove` gave. */
  add(
    text: string | null,
    options: InstallOptions,
    kept?: string,
  ): { text: string | null } | { problem: string };
  /** Takes ours out; after `add` this gives the text as it was. `kept` is there when a person added something to it. */
  remove(text: string | null): { text: string | null; own: OwnEntries; kept?: string } | { problem: string };
}

export const NOTHING: OwnEntries = { events: [], hasMcpServer: false, programs: [], extras: [] };

import type { HostPlace, InstallOptions, OwnConfig } from '../host-adapter.js';

export type OwnEntries = Omit<OwnConfig, 'file'>;

/** Something of ours in one file of a host: text in, text out; null is no file. */
export interface ConfigPart {
  fileOf(place: HostPlace): string;
  /** Adds ours to a text without it; the same text when the options ask for nothing here. */
  add(text: string | null, options: InstallOptions): { text: string | null } | { problem: string };
  /** Takes ours out; after `add` this gives the text as it was. */
  remove(text: string | null): { text: string | null; own: OwnEntries } | { problem: string };
}

export const NOTHING: OwnEntries = { events: [], hasMcpServer: false, programs: [] };

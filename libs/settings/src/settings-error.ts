import { ClaudeMemError } from '@claude-mem/core';

export type SettingsErrorCode =
  | 'settings/no-home'
  | 'settings/refused-folder'
  | 'settings/broken-file'
  | 'settings/foreign-file'
  | 'settings/unreadable-file'
  | 'settings/unwritable-file'
  | 'settings/invalid-value'
  | 'settings/unknown-mode';

/** An error of the settings. `loadSettings` reports a broken or unreadable file as a problem and does not throw. */
export class SettingsError extends ClaudeMemError<SettingsErrorCode> {}

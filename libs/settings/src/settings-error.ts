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

/** What can go wrong with settings; a broken or unreadable file matters only when it is to be changed. */
export class SettingsError extends ClaudeMemError<SettingsErrorCode> {}

/** Definition of a setting. */
export interface SettingDefinition {
  /** Name in the environment and in settings.json. */
  key: string;
  /** Label of the form field, two or three words. */
  label: string;
  /** Property name in `Settings`. */
  property: string;
  type: 'text' | 'address' | 'path' | 'flag' | 'count' | 'amount' | 'list' | 'globs' | 'choice';
  default: string | number | boolean | readonly string[];
  /** Allowed values of a `choice`, or of each item of a `list`. */
  choices?: readonly string[];
  /** The order of the items of a `list` is significant. */
  isOrdered?: true;
  /** Minimum and maximum of a number. @default 0, no maximum */
  min?: number;
  max?: number;
  description: string;
  /** False for settings that select a program, a folder or an address. Only a local user can change these. */
  overHttp: boolean;
  isSecret: boolean;
  /** The worker reads this setting only at startup. Changes of other settings take effect immediately. */
  needsRestart?: true;
  /** Standard variables that provide the value when neither the key nor the file sets it. Upper and lower case names are read. */
  inheritsFrom?: readonly string[];
  /** Reserved for a later version. Not listed, and cannot be set. */
  notYet?: true;
}

/** Access rules: `local` settings cannot be set over HTTP, `secret` settings are masked. */
export const open = { overHttp: true, isSecret: false } as const;
export const local = { overHttp: false, isSecret: false } as const;
export const secret = { overHttp: true, isSecret: true } as const;

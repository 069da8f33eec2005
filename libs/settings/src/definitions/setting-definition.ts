/** How one setting is read, shown and changed. */
export interface SettingDefinition {
  /** Name in the environment and in settings.json. */
  key: string;
  /** Two or three words. */
  label: string;
  /** Name in `Settings`. */
  property: string;
  type: 'text' | 'address' | 'path' | 'flag' | 'count' | 'amount' | 'list' | 'globs' | 'choice';
  default: string | number | boolean | readonly string[];
  /** The allowed words of a `choice`, or of each item of a `list`. */
  choices?: readonly string[];
  /** The order of a `list` counts. */
  isOrdered?: true;
  /** Smallest and largest number allowed. @default 0 and none */
  min?: number;
  max?: number;
  description: string;
  /** False for what decides which program runs, where data lies or where data is sent: only a person at the machine sets that. */
  overHttp: boolean;
  isSecret: boolean;
  /** The worker reads it once, at its start; a change of any other setting works at once. */
  needsRestart?: true;
  /** Variables of the environment that count when neither the key nor the file sets it; the first that is set, in either case. */
  inheritsFrom?: readonly string[];
  /** Reserved for what this version cannot do yet: not listed, and refused rather than ignored when it is set. */
  notYet?: true;
}

/** Who may set it, and whether it is shown. */
export const open = { overHttp: true, isSecret: false } as const;
export const local = { overHttp: false, isSecret: false } as const;
export const secret = { overHttp: true, isSecret: true } as const;

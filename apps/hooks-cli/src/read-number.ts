import { CliError } from './cli-error.js';

/** Parses the integer value of an option. Undefined when the option is not set. */
export function readNumber(
  value: string | boolean | undefined,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new CliError('cli/usage', `--${name} needs a whole number from ${min} to ${max}.`);
}

/** Printed as #12 (observation), S12 (summary) or P12 (prompt). */
export interface RecordId {
  kind: 'observation' | 'summary' | 'prompt';
  id: number;
}

const KINDS = { '#': 'observation', S: 'summary', P: 'prompt' } as const;

/** Parses ids such as `12`, `#12`, `S12`, `P12` or `12,13`. Removes duplicates. */
export function readRecordIds(words: readonly string[]): RecordId[] {
  const ids = words
    .flatMap((word) => word.split(','))
    .map((word): RecordId => {
      const [, prefix = '#', digits] = /^([#SP])?(\d{1,15})$/.exec(word.trim().toUpperCase()) ?? [];
      if (!(Number(digits) >= 1)) throw new CliError('cli/usage', `"${word}" is not an id.`);
      return { kind: KINDS[prefix as keyof typeof KINDS], id: Number(digits) };
    });
  return [...new Map(ids.map((one) => [formatRecordId(one), one])).values()];
}

export function formatRecordId({ kind, id }: RecordId): string {
  return `${{ observation: '#', summary: 'S', prompt: 'P' }[kind]}${id}`;
}

/** Parses ids of observations. */
export function readIds(words: readonly string[]): number[] {
  return readRecordIds(words).map((one) => {
    if (one.kind === 'observation') return one.id;
    const text = formatRecordId(one);
    throw new CliError(
      'cli/usage',
      `${text} is a ${one.kind}, not an observation (such as #12). To show it: claude-mem show ${text}`,
    );
  });
}

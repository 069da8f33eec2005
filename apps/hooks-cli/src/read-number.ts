import { CliError } from './cli-error.js';

/** A whole number from the command line; undefined when it was not given. */
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

/** What an id is of, as it is printed: #12 an observation, S12 a summary, P12 a prompt. */
export interface RecordId {
  kind: 'observation' | 'summary' | 'prompt';
  id: number;
}

const KINDS = { '#': 'observation', S: 'summary', P: 'prompt' } as const;

/** Ids as people write them: 12, #12, S12, P12, 12,13; each once. */
export function readRecordIds(words: readonly string[]): RecordId[] {
  const ids = words
    .flatMap((word) => word.split(','))
    .map((word): RecordId => {
      const [, sign = '#', digits] = /^([#SP])?(\d{1,15})$/.exec(word.trim().toUpperCase()) ?? [];
      if (!(Number(digits) >= 1)) throw new CliError('cli/usage', `"${word}" is not an id.`);
      return { kind: KINDS[sign as keyof typeof KINDS], id: Number(digits) };
    });
  return [...new Map(ids.map((one) => [textOfRecordId(one), one])).values()];
}

export function textOfRecordId({ kind, id }: RecordId): string {
  return `${{ observation: '#', summary: 'S', prompt: 'P' }[kind]}${id}`;
}

/** The same where only observations are taken. */
export function readIds(words: readonly string[]): number[] {
  return readRecordIds(words).map((one) => {
    if (one.kind === 'observation') return one.id;
    const text = textOfRecordId(one);
    throw new CliError(
      'cli/usage',
      `${text} is a ${one.kind}, no observation (#12). To read it: claude-mem show ${text}`,
    );
  });
}

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

/** Ids as people write them: 12, #12, 12,13; each once. */
export function readIds(words: readonly string[]): number[] {
  const ids = words
    .flatMap((word) => word.split(','))
    .map((word) => {
      const id = /^#?(\d{1,15})$/.exec(word.trim())?.[1];
      if (id !== undefined && Number(id) >= 1) return Number(id);
      const other = /^([SP])\d{1,15}$/i.exec(word.trim())?.[1];
      if (other === undefined) throw new CliError('cli/usage', `"${word}" is no id.`);
      const what = other.toUpperCase() === 'S' ? 'a summary' : 'a prompt';
      throw new CliError(
        'cli/usage',
        `${word} is ${what}, no observation (#12). What happened around it: claude-mem timeline ${word}`,
      );
    });
  return [...new Set(ids)];
}

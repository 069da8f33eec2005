export interface SecretText {
  name: string;
  text: string;
  /** Text that scrubbing must remove. */
  secret: string | readonly string[];
  /** Text that scrubbing must keep. */
  keeps?: string | readonly string[];
}

/** The secrets are created at run time, so that the source contains no text that resembles a secret. */
const letters = 'Zk3vQ9xLm2Rt7Wb4Yc8Hd1Nf6Gs0Jp5KaEuTiXoPqBrVwDyCzSgMhFjLn';
export const random = (length: number, alphabet = letters): string =>
  Array.from(
    { length },
    (_, index) => alphabet[(index * 7 + 3 + Math.floor(index / alphabet.length) * 5) % alphabet.length],
  ).join('');
export const hex = (length: number): string => random(length, '9f3a7c1e0b5d8264');
export const capitals = (length: number): string => random(length, 'Q7RTZ2XWVK5LMN3P');
export const join = (...parts: string[]): string => parts.join('');

export const word = join('S3cr3t', '-XYZ');
export const value = random(24);
export const at = (
  name: string,
  text: string,
  secret: string | readonly string[] = word,
  keeps: string | readonly string[] = [],
): SecretText => ({ name, text, secret, keeps });

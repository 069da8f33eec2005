const PATTERNS: readonly ((fill: (piece: string) => string) => string)[] = [
  (fill) => `a${fill('\n')}b`,
  (fill) => `a${fill(' ')}b`,
  (fill) => ` a${fill(' ')}b`,
  (fill) => `a${fill('\t\n')}b`,
  (fill) => fill('='),
  (fill) => fill('1'),
  (fill) => fill('1 failed, '),
  (fill) => fill('Error: '),
  (fill) => fill('A_'),
  (fill) => fill('a.'),
  (fill) => fill('?'),
  (fill) => `# ${fill('#')}x`,
  (fill) => `---\ntitle: a${fill(' ')}b\n---\n`,
  (fill) => fill('cat <<E\n'),
  (fill) => fill('git commit '),
  (fill) => `commit aaaaaaa\n a${fill(' ')}b`,
  (fill) => fill('the user said: '),
];

/** Texts that repeat one piece up to a length. A reader that backtracks takes quadratic time for them. */
export const HOSTILE_TEXTS: readonly ((length: number) => string)[] = PATTERNS.map(
  (createText) => (length) =>
    createText((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
);

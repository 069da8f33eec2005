const PATTERNS: readonly ((filled: (piece: string) => string) => string)[] = [
  (filled) => `a${filled('\n')}b`,
  (filled) => `a${filled(' ')}b`,
  (filled) => ` a${filled(' ')}b`,
  (filled) => `a${filled('\t\n')}b`,
  (filled) => filled('='),
  (filled) => filled('1'),
  (filled) => filled('1 failed, '),
  (filled) => filled('Error: '),
  (filled) => filled('A_'),
  (filled) => filled('a.'),
  (filled) => filled('?'),
  (filled) => `# ${filled('#')}x`,
  (filled) => `---\ntitle: a${filled(' ')}b\n---\n`,
  (filled) => filled('cat <<E\n'),
  (filled) => filled('git commit '),
  (filled) => `commit aaaaaaa\n a${filled(' ')}b`,
  (filled) => filled('the user said: '),
];

/** Texts in which one piece is repeated up to a length. A reader that backtracks takes quadratic time for them. */
export const HOSTILE_TEXTS: readonly ((length: number) => string)[] = PATTERNS.map(
  (textOf) => (length) => textOf((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
);

/** What stands for a type in an index line; a type that is not in it gets a neutral sign. */
export type TypeEmojis = Readonly<Record<string, string>>;

/** Of the types of software development. */
export const CODE_EMOJIS: TypeEmojis = {
  bugfix: '🐛',
  feature: '✨',
  refactor: '🔄',
  decision: '🏛️',
  discovery: '🔍',
  change: '📝',
};
const OTHER = '▫️';
/** Longer than any one sign: what a caller gives by mistake does not fill the line. */
const LONGEST = 16;

export function emojiOf(type: string, emojis: TypeEmojis): string {
  const emoji = Object.hasOwn(emojis, type) ? (emojis[type] ?? OTHER) : OTHER;
  return emoji.length > LONGEST || /[\s|<>]/.test(emoji) ? OTHER : emoji;
}

/** Explains the columns of index lines, once; only the types that occur. */
export function typeLegend(types: ReadonlySet<string>, emojis: TypeEmojis): string {
  const known = Object.keys(emojis).filter((type) => types.has(type) && emojiOf(type, emojis) !== OTHER);
  const meanings = known.map((type) => `${emojiOf(type, emojis)} ${type}`);
  if ([...types].some((type) => !known.includes(type))) meanings.push(`${OTHER} other`);
  return `Columns: id, time, type (${meanings.join(', ')}), title, tokens to read it whole.`;
}

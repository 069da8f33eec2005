/** Emojis by record type. Other types get a neutral sign. */
export type TypeEmojis = Readonly<Record<string, string>>;

/** Emojis for software development. */
export const CODE_EMOJIS: TypeEmojis = {
  bugfix: '🐛',
  feature: '✨',
  refactor: '🔄',
  decision: '🏛️',
  discovery: '🔍',
  change: '📝',
};
const OTHER = '▫️';
/** Longer than any emoji, so that an invalid value does not fill the line. */
const MAX_EMOJI_LENGTH = 16;

export function findEmoji(type: string, emojis: TypeEmojis): string {
  const emoji = Object.hasOwn(emojis, type) ? (emojis[type] ?? OTHER) : OTHER;
  return emoji.length > MAX_EMOJI_LENGTH || /[\s|<>]/.test(emoji) ? OTHER : emoji;
}

/** Renders the legend of the columns and of the types that occur. */
export function typeLegend(types: ReadonlySet<string>, emojis: TypeEmojis): string {
  const known = Object.keys(emojis).filter((type) => types.has(type) && findEmoji(type, emojis) !== OTHER);
  const meanings = known.map((type) => `${findEmoji(type, emojis)} ${type}`);
  if ([...types].some((type) => !known.includes(type))) meanings.push(`${OTHER} other`);
  return `Columns: id, time, type (${meanings.join(', ')}), title, tokens of the complete record.`;
}

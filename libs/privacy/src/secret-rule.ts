/**
 * A kind of secret with a known format.
 * `anchors` are the literal beginnings of the secret. The sticky pattern is only tried where an anchor is at the start
 * of a word. The complete match is replaced, except the group `keep` at its beginning.
 * Patterns must be linear: no nested repetition, and every repetition is bounded or uses a class that cannot contain
 * the start of another word.
 */
export interface SecretRule {
  name: string;
  anchors: readonly string[];
  pattern: RegExp;
  /** True when the anchor can be inside a word, as in `user:pass@` after any scheme. */
  isInsideWord?: true;
  /** Returns true when the matched text is a secret. @default every match is a secret */
  isSecret?: (value: string) => boolean;
}

/** Creates a rule whose anchors are at the start of a word. */
export const rule = (name: string, anchors: string | readonly string[], pattern: RegExp): SecretRule => ({
  name,
  anchors: typeof anchors === 'string' ? anchors.split(' ') : anchors,
  pattern,
});
/** Creates a rule whose anchors can be inside a word. */
export const inside = (name: string, anchors: string, pattern: RegExp): SecretRule => ({
  ...rule(name, anchors, pattern),
  isInsideWord: true,
});

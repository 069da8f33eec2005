/**
 * One kind of secret that is known by its own form. `anchors` are the literal texts it starts with: the pattern
 * (sticky) is tried only where one stands at the start of a word. All of the match is replaced, except what the
 * group `keep` caught at its beginning.
 *
 * Patterns must be linear: no nested repetition, every repetition bounded or over a class that cannot contain the
 * start of another word.
 */
export interface SecretRule {
  name: string;
  anchors: readonly string[];
  pattern: RegExp;
  /** The anchor may stand inside a word (`user:pass@` after any scheme). */
  isInsideWord?: true;
  /** Decides on the matched text. @default every match is a secret */
  isSecret?: (value: string) => boolean;
}

/** A rule whose anchors stand at the start of a word. */
export const rule = (name: string, anchors: string | readonly string[], pattern: RegExp): SecretRule => ({
  name,
  anchors: typeof anchors === 'string' ? anchors.split(' ') : anchors,
  pattern,
});
/** A rule whose anchors may stand inside a word. */
export const inside = (name: string, anchors: string, pattern: RegExp): SecretRule => ({
  ...rule(name, anchors, pattern),
  isInsideWord: true,
});

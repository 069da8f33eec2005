import { INVISIBLE } from './ignorable.js';

/** Matches ESC as a character and in the notation of JSON, C and shells. */
const ESCAPE = '(?:\\u001b|\\\\{1,8}(?:u001[bB]|x1[bB]|033|e)(?=[[\\]\\\\]))';
const INVISIBLES = `[${INVISIBLE.replace('\\u2400', '')}]{1,64}`;
/** Invisible characters are only removed next to ASCII. Emoji and other scripts need them. */
const HIDDEN = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,4}[@-~]|\\][^\\u0007\\u001b\\n\\\\]{0,512}(?:\\u0007|\\\\{1,8}u0007|${ESCAPE}\\\\{1,8}))|\\u009b[0-?]{0,64}[@-~]|(?<=[\\t\\n -~])${INVISIBLES}(?=[!-~\u001b])`,
  'g',
);
/** Most texts are plain ASCII without an escape and need no replacement. */
const HINT = /[^\t\n\r -~]|\\(?:u001[bB]|x1[bB]|033|e)[[\]]/;
/** Matches full-width Latin words. Full-width punctuation without letters belongs to Chinese and Japanese text. */
const FULL_WIDTH =
  /[\uff21-\uff3a\uff41-\uff5a](?:[\uff0d\uff0e\uff10-\uff1a\uff1d\uff3f]{0,8}[\uff21-\uff3a\uff41-\uff5a]){1,64}[\uff10-\uff1a\uff1d]{0,8}/g;

/** Removes terminal colors and invisible characters, and converts full-width Latin words to ASCII. */
export function revealText(text: string): string {
  if (!HINT.test(text)) return text;
  return text
    .replace(HIDDEN, '')
    .replace(FULL_WIDTH, (word) =>
      word.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)),
    );
}

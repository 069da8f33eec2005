import { INVISIBLE } from './ignorable.js';

/** ESC as a character and as it is written in JSON, in C and in a shell. */
const ESCAPE = '(?:\\u001b|\\\\{1,8}(?:u001[bB]|x1[bB]|033|e)(?=[[\\]\\\\]))';
const INVISIBLES = `[${INVISIBLE.replace('\\u2400', '')}]{1,64}`;
/** Invisible characters count between ASCII: emoji and other scripts need theirs. */
const HIDDEN = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,4}[@-~]|\\][^\\u0007\\u001b\\n\\\\]{0,512}(?:\\u0007|\\\\{1,8}u0007|${ESCAPE}\\\\{1,8}))|\\u009b[0-?]{0,64}[@-~]|(?<=[\\t\\n -~])${INVISIBLES}(?=[!-~\u001b])`,
  'g',
);
/** Most texts are plain ASCII without an escape. */
const HINT = /[^\t\n\r -~]|\\(?:u001[bB]|x1[bB]|033|e)[[\]]/;
/** Signs between full-width letters. Full-width punctuation without letters belongs to Chinese and Japanese text. */
const FULL_WIDTH =
  /[\uff21-\uff3a\uff41-\uff5a](?:[\uff0d\uff0e\uff10-\uff1a\uff1d\uff3f]{0,8}[\uff21-\uff3a\uff41-\uff5a]){1,64}[\uff10-\uff1a\uff1d]{0,8}/g;

/** The text without terminal colours and invisible characters, and with full-width Latin words in ASCII. */
export function revealText(text: string): string {
  if (!HINT.test(text)) return text;
  return text
    .replace(HIDDEN, '')
    .replace(FULL_WIDTH, (word) =>
      word.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)),
    );
}

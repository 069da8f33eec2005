import { rule, type SecretRule } from './secret-rule.js';
import { isSecretValue, looksGenerated, looksRandom } from './secret-values.js';

/** Matches white space, also escaped in a JSON string. */
const BLANK = '(?:\\s|\\\\{1,8}[nrt]){1,16}';
const BLANKS = '(?:\\s|\\\\{1,8}[nrt]){0,16}';
/** Matches a quote, also one that the shell joins to a quoted text: `'\''`. */
const QUOTE = `[eENn]?(?:'\\\\{1,4}''|'"'"'|\\\\{0,8}["'])`;
const VALUE = `(?:(?<=")[^\\n"\\\\]{1,256}|(?<=')[^\\n'\\\\]{1,256})`;
/** Matches a position inside a statement about an account. */
const IN_ACCOUNT = `(?<=\\b(?:create|alter|grant|import)${BLANK}[^;]{0,300})(?<=\\b(?:user|role|login|group|server|grant|secret|subscription)\\b[^;]{0,300})`;

const sqlRule = (anchors: readonly string[], pattern: string, isSecret = isQuotedSecret): SecretRule => ({
  ...rule('sql-password', anchors, new RegExp(pattern, 'iy')),
  isSecret,
});
const isQuotedSecret = (value: string) => isSecretValue(value, 'password', 'quoted');
const isAccountSecret = (value: string) => isSecretValue(value, 'password', 'literal');

const PASSWORD_ANCHORS = ['PASSWORD', 'Password', 'password'];
const IDENTIFIED_ANCHORS = ['IDENTIFIED', 'Identified', 'identified'];
const IDENTIFIED = `identified(?:${BLANK}(?:with|via)${BLANK}[\\w'"]{1,64})?${BLANK}(?:by|as|using)${BLANK}(?:password${BLANKS}\\(?${BLANKS})?`;

/** Rules for passwords in SQL statements: `PASSWORD 'x'`, `IDENTIFIED BY 'x'`, `SET PASSWORD FOR a = 'x'`. */
export const SQL_SECRET_RULES: readonly SecretRule[] = [
  sqlRule(
    PASSWORD_ANCHORS,
    `(?=password${BLANK}${QUOTE})${IN_ACCOUNT}(?<keep>password${BLANK}${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
  sqlRule(['PASSWORD'], `(?<keep>password${BLANK}[eE]?\\\\{0,8}')${VALUE}`),
  sqlRule(
    IDENTIFIED_ANCHORS,
    `(?=identified${BLANK})${IN_ACCOUNT}(?<keep>${IDENTIFIED}${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
  sqlRule(
    IDENTIFIED_ANCHORS,
    `(?=identified${BLANK}by)${IN_ACCOUNT}(?<keep>identified${BLANK}by${BLANK}(?:values${BLANK})?)[\\w$#@!%^*+.-]{1,128}(?=${BLANKS}(?:$|[;"'\`\\\\]|\\b(?:account|default|quota|profile|temporary|container)\\b))`,
    isAccountSecret,
  ),
  sqlRule(['IDENTIFIED'], `(?<keep>${IDENTIFIED}${QUOTE})${VALUE}`),
  sqlRule(IDENTIFIED_ANCHORS, `(?<keep>${IDENTIFIED}${QUOTE})${VALUE}`, looksRandom),
  sqlRule(
    ['REPLACE ', 'replace '],
    `(?<=identified${BLANK}by${BLANK}[^;]{1,300})(?<keep>replace${BLANK}${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
  sqlRule(
    ['SET PASSWORD', 'Set Password', 'set password'],
    `(?<keep>set${BLANK}password(?:${BLANK}for${BLANK}[^=;\\n]{1,128}?)?${BLANKS}(?:=|\\bto\\b)${BLANKS}(?:(?:old_)?password${BLANKS}\\(${BLANKS})?${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
  sqlRule(
    ['sp_addlogin'],
    `(?<keep>sp_addlogin${BLANK}N?["'][^"'\\n]{1,128}["'],${BLANKS}${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
  sqlRule(IDENTIFIED_ANCHORS, `(?<keep>identified${BLANK}by${BLANK})[\\w$#@!%^*+.-]{1,128}`, looksGenerated),
  // Keys of encrypted SQLite databases.
  sqlRule(
    ['PRAGMA', 'pragma'],
    `(?<keep>pragma${BLANK}(?:re)?key${BLANKS}=${BLANKS}${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
  sqlRule(
    ['KEY ', 'key '],
    `(?<=\\battach\\b[^;]{0,200})(?<keep>key${BLANK}${QUOTE})${VALUE}`,
    isAccountSecret,
  ),
];

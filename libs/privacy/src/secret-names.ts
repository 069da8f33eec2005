export type NameKind = 'password' | 'secret' | 'key' | 'token' | 'header' | 'cookie';

/** Words for "password" in other languages. A name that ends with one is always a password. */
const FOREIGN_PASSWORD =
  'passwort|kennwort|mot[ _-]?de[ _-]?passe|contraseñas?|contrasenas?|senha|wachtwoord|hasło|lösenord|adgangskode|salasana|jelszó|heslo|parol[aă]|[şs]ifre|пароль|密码|密碼|パスワード|비밀번호|암호';
const FOREIGN_END = new RegExp(`(?:${FOREIGN_PASSWORD})$`, 'i');
export const isForeignPassword = (name: string): boolean => FOREIGN_END.test(name);

/** Finds possible sensitive names. `classifyName` decides on the complete name. */
export const SENSITIVE_WORD = new RegExp(
  FOREIGN_PASSWORD +
    /|pass(?:word|wd|phrase|code)|pgpass|pwd|(?<![a-z])pass(?![a-z])|(?:db|pg|my|sql|ftp|smtp|mail|imap|ldap|bind|root|admin|user|login|ssh|store|key|trust|require|redis|mongo|proxy|http|wifi|vnc|rdp|sudo)(?:pass|pw)(?![a-z])|(?<![a-z])p(?:w|sk)(?![a-z])|masterauth|secret|token|api[-_. ]?key|(?:access|private|signing|encryption|encrypt|master|auth|account|shared|license|role|service|deploy|ssh|hmac|jwt|app|anon|webhook|subscription|dsn|dd)[-_ ]?key|key[-_]?data|authorization|cookie|credential|creds|(?<![a-z])auth(?![a-z])|mnemonic|seed[-_]?phrase|connection[-_]?string|database[-_]?url/
      .source,
  'gi',
);

const KEY_OWNERS = new Set(
  'api access secret private signing encryption encrypt master auth account shared license service deploy ssh hmac jwt app role anon webhook subscription'.split(
    ' ',
  ),
);
const PASSWORD_END =
  /(?:password|passwd|passphrase|passcode|pwd|passwords|masterauth)$|^psk$|^[a-z]{0,8}(?:pass|pw)$/;
/** Words that end like a short form of "password". */
const WORDS_ENDING_IN_PASS = new Set(['compass', 'bypass', 'trespass', 'overpass', 'underpass', 'surpass']);
const SECRET_END = /(?:secret|secrets|credential|credentials|creds|mnemonic)$/;
const KEY_END =
  /(?:apikey|apikeys|secretkey|accesskey|privatekey|signingkey|encryptionkey|authkey|masterkey)$/;
/** Last words of names that describe a secret and do not contain it. */
const HARMLESS_LAST_WORDS = new Set(
  (
    'limit limits count counts size sizes length len type types name names url uri urls endpoint path paths file files filename dir ttl expiry expires expire ' +
    'expiration expired timeout policy field fields label labels min max regex regexp pattern prefix suffix header headers enabled disabled required valid invalid ' +
    'validator validation strength hint placeholder error errors message messages color colour style class classname icon input button form id ids index budget ' +
    'usage used cost price rate window version provider providers store storage manager service factory handler helper util utils schema model table column status state format ' +
    'algorithm alg method mode source ref arn scope scopes at date time age rotation reset changed updated created visible show text title description help docs doc ' +
    'env var variable kind parser stream estimate estimator per based mask match check test lookup map list array set get fn func function callback options option config settings ' +
    'middleware guard interceptor generator validator verify verifier required prompt exists missing present optional param params parameter rule rules module page screen view ' +
    'modal dialog component hook context left remaining total length budget cap quota counter bucket stdin fd request response endpoint expiresin expiresat issuer audience'
  ).split(/\s+/),
);
const QUANTITY_WORDS = new Set(
  'max min num number count total per input output prompt completion cached used context estimated discovery avg mean sum n top special'.split(
    ' ',
  ),
);
/** Variables that every shell sets. */
const WORKING_FOLDERS = new Set(['PWD', 'OLDPWD']);
/** First words of boolean names such as `withCredentials` and `hasToken`. */
const BOOLEAN_PREFIXES = new Set([
  'with',
  'has',
  'is',
  'should',
  'can',
  'use',
  'uses',
  'needs',
  'requires',
  'allow',
  'allows',
  'enable',
  'disable',
  'no',
  'skip',
  'hide',
]);
const HEADERS = new Set(['authorization', 'proxy_authorization', 'x_authorization']);
const COOKIES = new Set(['cookie', 'set_cookie', 'cookie2', 'set_cookie2', 'http_cookie']);

/** Returns true when a word of a sentence names a secret. "Token limit" and "password policy" do not. */
export const isSensitiveWord = (word: string, next: string): boolean =>
  classifyName(word) !== null && !HARMLESS_LAST_WORDS.has(next.toLowerCase());

const known = new Map<string, NameKind | null>();

/**
 * Returns the kind of secret that a name denotes, or null. Accepts camelCase, snake_case, kebab-case and dotted names.
 */
export function classifyName(name: string): NameKind | null {
  if (name.length > 128) return null;
  const cache = known.get(name);
  if (cache !== undefined) return cache;
  const kind = classify(name);
  if (known.size > 2_000) known.clear();
  known.set(name, kind);
  return kind;
}

function classify(name: string): NameKind | null {
  if (isForeignPassword(name)) return 'password';
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  if (HEADERS.has(snake)) return 'header';
  if (COOKIES.has(snake)) return 'cookie';
  const words = snake.split('_');
  if (WORKING_FOLDERS.has(name) || BOOLEAN_PREFIXES.has(words[0] ?? '')) return null;
  const isNumbered = /^\d{1,2}$/.test(words.at(-1) ?? '') && words.length > 1;
  const core = isNumbered ? words.slice(0, -1) : words;
  // Removes the number in `password2`.
  const last = (core.at(-1) ?? '').replace(/(?<=[a-z])\d{1,2}$/, '');
  const before = core.at(-2) ?? '';
  if (HARMLESS_LAST_WORDS.has(last) || words.includes('public')) return null;
  if (PASSWORD_END.test(last) && !WORDS_ENDING_IN_PASS.has(last)) return 'password';
  if (SECRET_END.test(last)) return 'secret';
  if (KEY_END.test(last)) return 'key';
  if (
    /^keys?$/.test(last) &&
    (KEY_OWNERS.has(before) || core.some((word) => word === 'secret' || word === 'private'))
  )
    return 'key';
  if (last === 'data' && before === 'key' && core.length > 2) return 'key';
  if (last === 'phrase' && (before === 'seed' || before === 'pass')) return 'password';
  if (last === 'word' && before === 'pass') return 'password';
  if (last === 'string' && before === 'connection') return 'token';
  if (/tokens?$/.test(last)) return core.some((word) => QUANTITY_WORDS.has(word)) ? null : 'token';
  if (last === 'auth' || last === 'authorization') return 'token';
  return core.includes('secret') || core.includes('password') ? 'secret' : null;
}

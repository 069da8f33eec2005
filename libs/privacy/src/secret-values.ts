import type { NameKind } from './secret-names.js';

/** Context of a value after its name. It determines which values count as secrets in case of doubt. */
export type ValueContext =
  /** In quotes, or a separate JSON string. */
  | 'quoted'
  /** `NAME=value` of a shell, a `.env` file or a flag. The value is text, never an expression. */
  | 'literal'
  /** Any other value without quotes, which can be code. */
  | 'bare';

/** Number of inspected characters of a value. The rest of a longer value cannot make it harmless. */
const MAX_INSPECTED = 120;

const TYPE_OR_LITERAL = new Set(
  (
    'string number boolean bool any unknown null undefined never void object symbol bigint str int float bytes none nil true false optional required ' +
    'text varchar char uuid buffer uint8array secretstr string? str? option default self this new await async function typeof yield return let const var if else'
  ).split(' '),
);
const KEYWORD_INSIDE = /pass|pwd|secret|token|key|auth|cred|cookie/i;
const PROSE_WORD =
  /\b(?:the|a|an|is|are|be|must|should|your|you|our|enter|invalid|required|missing|please|not|at least|for|of|and|or|to|with|in|by|incorrect|wrong|forgot|reset|new|old|current|confirm|used|when|if|this|that|from)\b/i;

/** Returns true when a value after a sensitive name must be removed. */
export function isSecretValue(value: string, kind: NameKind, context: ValueContext): boolean {
  const text = value.slice(0, MAX_INSPECTED).trim();
  if (text === '' || isReference(text) || isPlaceholder(text)) return false;
  if (kind === 'header') return isHeaderSecret(text, context);
  if (kind === 'cookie') return /=\s*[^\s;]/.test(text) && !/^[=(>]|=>|[({]/.test(text.slice(0, 40));
  if (
    text.length < 2 ||
    (kind !== 'password' && isPath(text)) ||
    /^~$|^~\/|^\/(?:home|Users|usr|etc|var|tmp|opt)\//.test(text)
  )
    return false;
  const lower = text.toLowerCase();
  if (TYPE_OR_LITERAL.has(lower.replace(/[;,?!)]+$/, ''))) return false;
  if (context === 'literal')
    return !/^(?:\d{1,3}|[\w.$]{1,60}\(.{0,200})$/.test(text) || (kind !== 'token' && /^\d+$/.test(text));
  if (context === 'bare') return isBareSecret(text, kind);
  return isQuotedSecret(text, kind);
}

/**
 * Returns true when a password argument of a command must be removed. References, ports and words of a sentence are not
 * removed.
 */
export function isArgumentSecret(value: string): boolean {
  return (
    isSecretValue(value, 'password', 'literal') &&
    PROSE_WORD.exec(value)?.[0] !== value &&
    !/^[\d.:]*\d:\d+$/.test(value)
  );
}

function isQuotedSecret(text: string, kind: NameKind): boolean {
  if (kind === 'token') return looksRandom(text);
  if (/^[A-Za-z_$.-]{1,40}$/.test(text) && KEYWORD_INSIDE.test(text)) return looksRandom(text);
  if (/\s/.test(text)) return !isProse(text) && !/[(){};<>]/.test(text);
  if (/^(?:Required|Optional|Missing|Invalid|Hidden|Unknown)\b/.test(text)) return false;
  return true;
}

function isBareSecret(text: string, kind: NameKind): boolean {
  const core = text.replace(/[;,)]+$/, '');
  // A link to a heading is not a secret.
  if (/^#[a-z]+(?:-[a-z]+)*$/.test(core)) return false;
  if (/^[([{<&*!@|>=+?:-]|^(?:[A-Za-z_$][\w$]*)?[([{]|::|=>|\(\)|\?\.|\]\[|^\.\.?\/|^\/[\w.-]+\//.test(core))
    return false;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+[([]?/.test(core) && !/^\w+\.\w+\.[\w-]{10,}$/.test(core))
    return false;
  if (/^[A-Za-z_$][\w$]{0,60}$/.test(core) && KEYWORD_INSIDE.test(core))
    return /\d{3,}/.test(core) && looksRandom(core);
  return kind === 'password' && /^\d{4,}$/.test(core) ? true : looksRandom(core);
}

function isHeaderSecret(text: string, context: ValueContext): boolean {
  const withScheme =
    /^(?:bearer|basic|token|digest|negotiate|ntlm|apikey|api-key|aws4-hmac-sha256|oauth|hawk|key|bot|sso-key|splunk|genie-?key|discogs|klaviyo-api-key)\s+(.+)$/i.exec(
      text,
    );
  if (withScheme !== null) {
    const credential = (withScheme[1] ?? '').trim();
    return (
      !isReference(credential) &&
      !isPlaceholder(credential) &&
      !/^(?:authentication|auth|scheme|header|realm|challenge)s?\b/i.test(credential) &&
      !/^['"`]?\s*\+|^[)'"`,;]/.test(credential)
    );
  }
  if (/^(?:bearer|basic|token|digest|negotiate)$/i.test(text)) return false;
  return context === 'bare'
    ? isBareSecret(text, 'token')
    : !/\s/.test(text) && isQuotedSecret(text, 'secret');
}

/** Returns true for a reference to another value, or a redacted value. */
function isReference(text: string): boolean {
  return (
    text.includes('[redacted:') ||
    /^(?:\$[\w{(:]|%[A-Za-z_]\w*%|\{\{|\{[\w.]+\}|<%|#\{|!(?:Ref|Sub|GetAtt|ImportValue)\b|ENC\[|process\.env|import\.meta|os\.environ|env\.|vault:|secretsmanager:|arn:|op:\/\/|ref\+|@Microsoft\.KeyVault)/.test(
      text,
    ) ||
    /^[A-Za-z0-9 _-]{0,12}\$\{[^}]*\}$/.test(text)
  );
}

function isPlaceholder(text: string): boolean {
  return (
    /^<[^<>]{0,80}>$|^\[[A-Za-z][\w -]{0,60}\]$|\*{4,}|^\*{3,}$|\.{3}$|xxxx|^[x.X•*_-]+$|^\.\.\.|^…|…$/.test(
      text,
    ) ||
    /^["'`]?(?:<?your[-_ ]|my[-_]?(?:api[-_]?key|token|secret)\b|example\b|placeholder|changeme_?here|insert[-_ ]|replace[-_ ]?(?:me|with)|todo\b|n\/a\b|dummy[-_]?(?:key|token)?$|redacted|hidden$|none$|sk-\.{3}|xxx)/i.test(
      text,
    ) ||
    /[-_](?:here|goes[-_]here)>?$/i.test(text)
  );
}

/** The path of a key file is not a secret. */
const isPath = (text: string) =>
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@ -]+(?:[\\/][\w.@ -]+)*[\\/]?$/.test(text) &&
  /[\\/.]/.test(text.slice(1));

/** Returns true for several words of a language. A passphrase has no article and no full stop. */
function isProse(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    words.length >= 2 &&
    (PROSE_WORD.test(text) || /^[A-Z][a-z]/.test(text) || /[.!?:]$/.test(text) || KEYWORD_INSIDE.test(text))
  );
}

/**
 * Returns true for a text that no user would type as a word or a name. Hashes, versions, dates and sizes return false.
 */
export function looksRandom(text: string): boolean {
  if (text.length < 6 || /\s/.test(text)) return false;
  if (
    /^(?:sha-?\d+|utf-?\d+|base-?\d+|oauth\d?|v\d+|http\d?|ed25519|rsa-?\d*|aes\S{0,12}|[hre]s\d{3}|x509|md5|es\d{4}|p-?\d{3})$/i.test(
      text,
    )
  )
    return false;
  if (
    /^v?\d+(?:\.\d+)+(?:-\w+)?$|^\d{4}-\d\d-\d\d|^\d+(?:ms|s|m|h|d|px|em|rem|%|kb|mb|gb|k)?$|^#[0-9a-f]{3,8}$/i.test(
      text,
    )
  )
    return false;
  if (
    /^(?:\.{0,2}|~)\/|^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+\.(?:ts|js|json|py|md|txt|html|css|tsx|jsx|yml|yaml|pem)$/i.test(
      text,
    )
  )
    return false;
  const hasDigit = /\d/.test(text);
  const hasLetter = /[A-Za-z]/.test(text);
  if (hasDigit && hasLetter)
    return (
      !/^[A-Za-z]+(?:[-_.][A-Za-z]+)*[-_.]?\d{1,2}$/.test(text) ||
      (text.length <= 16 && !KEYWORD_INSIDE.test(text))
    );
  if (hasLetter && text.length >= 8 && /[!@#$%^&*+~]/.test(text)) return !/[(){}<>]/.test(text);
  if (hasLetter && /^[A-Za-z]{16,}$/.test(text))
    return caseChanges(text) / text.length > 0.3 || /^[A-Z]+$/.test(text);
  return hasLetter && text.length >= 24 && /[+/=]/.test(text) && !/^[a-z]+(?:[-_.:/ ][a-z]+)*$/i.test(text);
}

/**
 * Returns true for a long text that changes between letters, digits and capitals as often as random text. Stricter than
 * `looksRandom`, for values that only a space separates from their label.
 */
export function looksGenerated(text: string): boolean {
  // A secret access key of AWS.
  if (/^(?=.*[a-z])(?=.*[A-Z])(?=.*[\d+/])[A-Za-z0-9+/]{40}$/.test(text)) return true;
  return text.split('/').some(isGeneratedPart);
}

function isGeneratedPart(text: string): boolean {
  if (text.length < 12 || !looksRandom(text) || /[(){}<>[\]=]\S|::/.test(text)) return false;
  const digitChanges = text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return digitChanges >= 3 || caseChanges(text) / text.length > 0.3;
}

function caseChanges(text: string): number {
  let changes = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (isUpper(text.charCodeAt(index)) !== isUpper(text.charCodeAt(index - 1))) changes += 1;
  }
  return changes;
}

const isUpper = (unit: number) => unit >= 0x41 && unit <= 0x5a;

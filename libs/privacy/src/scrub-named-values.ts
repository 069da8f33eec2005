import { isCell, findInsertSecrets, findTableSecrets } from './column-secrets.js';
import { redaction } from './scrub-known-secrets.js';
import { classifyName, isForeignPassword, SENSITIVE_WORD, type NameKind } from './secret-names.js';
import { findValueAfter, findValueBefore } from './paired-values.js';
import { isSecretValue, looksGenerated, looksRandom, type ValueContext } from './secret-values.js';
import { createTextCursor, type TextCursor } from './text-cursor.js';

interface Span {
  start: number;
  end: number;
}

interface Name extends Span {
  text: string;
  kind: NameKind;
}

interface Value extends Span {
  context: ValueContext;
}

/**
 * Replaces the values of sensitive names in environment assignments, headers, JSON and YAML fields, flags, properties,
 * XML elements, pairs such as `name: Authorization, value: …`, and columns of tables.
 */
export function scrubNamedValues(text: string): { text: string; removed: number } {
  const cursor = createTextCursor(text);
  const found: (Span & { kind: NameKind })[] = [];
  const cells: Span[] = [];
  let isInColumnList = false;
  let from = 0;
  SENSITIVE_WORD.lastIndex = 0;
  for (let hit = SENSITIVE_WORD.exec(text); hit !== null; hit = SENSITIVE_WORD.exec(text)) {
    const name = findName(text, hit.index, SENSITIVE_WORD.lastIndex, from);
    const resume = name.end;
    SENSITIVE_WORD.lastIndex = resume;
    const kind = classifyName(name.text);
    if (kind === null) continue;
    if (isCell(text, name)) cells.push(name);
    isInColumnList ||= matchAt(columnEnd, text, name.end) !== null;
    const secrets = findValues(text, { ...name, kind }, from, cursor);
    for (const secret of secrets) {
      if (secret.start < from || secret.end <= secret.start) continue;
      found.push({ ...secret, kind });
      from = secret.end;
    }
    SENSITIVE_WORD.lastIndex = Math.max(resume, from);
  }
  found.push(...findTableSecrets(text, cells), ...(isInColumnList ? findInsertSecrets(text) : []));
  return replaceSpans(text, found);
}

function replaceSpans(text: string, spans: (Span & { kind: NameKind })[]): { text: string; removed: number } {
  let result = '';
  let from = 0;
  let removed = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.start < from) continue;
    result += text.slice(from, span.start) + redaction(span.kind);
    from = span.end;
    removed += 1;
  }
  return { text: from === 0 ? text : result + text.slice(from), removed };
}

const MAX_NAME_LENGTH = 96;
const columnEnd = /[\s"'`\]\\]{0,16}[,)]/y;
const nameEnd = /[A-Za-z0-9_$.-]*/y;
const encodedSign = /^(?:25){0,4}[0-9A-Fa-f]{2}/;

function findName(text: string, hit: number, hitEnd: number, from: number): Span & { text: string } {
  const earliest = Math.max(from, hit - MAX_NAME_LENGTH);
  let start = hit;
  while (start > earliest && isNameUnit(text.charCodeAt(start - 1))) start -= 1;
  // An escaped line break does not belong to the name: `\nPASSWORD`.
  if (text[start - 1] === '\\' && start < hit && /[nrt]/.test(text[start] ?? '')) start += 1;
  // An encoded character of an address does not belong to the name: `%26password`.
  if (text[start - 1] === '%') start += encodedSign.exec(text.slice(start, hit))?.[0].length ?? 0;
  nameEnd.lastIndex = hitEnd;
  nameEnd.test(text);
  let end = Math.max(hitEnd, nameEnd.lastIndex);
  while (end > hitEnd && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1;
  return { start, end, text: end - start > MAX_NAME_LENGTH * 2 ? '' : text.slice(start, end) };
}

function isNameUnit(unit: number): boolean {
  if (unit >= 0x61) return unit <= 0x7a;
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    unit === 0x5f ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x24
  );
}

/** Matches `"name"`, `'name']`, `name?`, `name!` or `name)` with the following assignment operator. */
const assignment =
  /(?:\\{0,8}["'`]\]?|\])?[?!]?(?<blank>[ \t\u00a0\u202f\u3000]{0,40})(?:\r?\n[ \t]{0,40}(?=[:=]))?(?<sign>=>|:=|={1,3}|!={1,2}|:(?!:)|：|%(?:25){0,4}3[dD])(?<space>(?:[ \t\u00a0\u202f\u3000]|\\{1,4}t){0,200})/y;
const typedAssignment = /:\s{0,8}[\w<>[\]| ]{1,40}?\s{0,8}=(?![=>])\s{0,8}/y;
const flagGap = /(?:\\{0,8}["'])?(?:[ \t]{1,8}|=)(?![-=])/y;
const labelGap = /(?:[ \t\u00a0\u202f\u3000]{1,40}|\\{1,8}t)(?=\\{0,8}["'`]|\S{12})/y;
const VARIABLE = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/;
const columnGap = /[ ]{2,60}(?=(?<value>[^\s"'`\\]{6,240})[ \t]{0,60}(?:$|[\r\n]|\\{1,8}[nr"]))/y;
const arrowGap = /["'`]?[ \t]{0,4}(?:->|→|⇒|[-–—~](?=[ \t]))[ \t]{0,4}(?=["'`]|\S{6})/y;
const sentenceVerb =
  /(?:[ \t]{1,4}(?:for|of|on|für|von|vom|de|del|du|da|do)[ \t]{1,4}[^\n.:;!?"'`]{1,60}?)?(?:[ \t]{1,4}(?:is|was|to|ist|war|lautet|est|es|é|è|är|er|jest|это):?[ \t]{1,4}|[是为為は은는][ \t]{0,4})(?=["'`]|\S{6})/iy;
const requiredGap =
  /[ \t]{1,4}(?:must|should|shall|has to)(?:[ \t]{1,4}always)?[ \t]{1,4}be[ \t]{1,4}(?=["'`]|\S{12})/iy;
/** Separates a label in a sentence from its value: `with the password x`. */
const proseGap = /[ \t]{1,4}(?=["'`]?\S{6})/y;
const beforeNoun =
  /(?:^|[^\w])(?:the|with|use|using|a|my|our|your|its|mit|dem|das|mein|avec|le|la|un|con|el|una|com|o|met|het)[ \t]{1,4}$/i;

/** Matches a line that continues: a YAML block, or a backslash at the end of a shell line. */
const nextLine =
  /(?:[|>][-+\d]{0,2}[ \t]{0,8}(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]{1,40}|\\{1,8}(?:\r?\n|(?<=\\\\\\)n)[ \t]{0,40})/y;

/** Matches the note in `password (staging): x`. */
const note = /[ \t]{1,4}\([^()\n]{1,40}\)(?=[ \t]{0,4}[:=])/y;

function findValues(text: string, found: Name, from: number, cursor: TextCursor): Span[] {
  const name = { ...found, end: found.end + (matchAt(note, text, found.end)?.[0].length ?? 0) };
  const { kind } = name;
  const paired = findValueAfter(text, name);
  if (paired !== null) return createSpans(text, kind, readValue(text, paired, 'bare', kind, cursor));
  const earlier = findValueBefore(text, name, from);
  if (earlier !== null) return createSpans(text, kind, earlier);

  const sign = matchAt(assignment, text, name.end);
  if (sign !== null) {
    const signEnd = name.end + sign[0].length;
    const at = signEnd + (matchAt(nextLine, text, signEnd)?.[0].length ?? 0);
    if (sign.groups?.['sign']?.startsWith('%') === true)
      return createSpans(text, kind, readEncodedValue(text, at, cursor));
    if (sign.groups?.['sign'] === '=>' && !/["'`\\]/.test(text[at] ?? '')) return [];
    if (text[at] === '[' || text[at] === '{')
      return kind === 'header' || kind === 'cookie' ? [] : findListValues(text, at, kind, cursor);
    const found = createSpans(
      text,
      kind,
      readValue(text, at, classifyContext(text, name, sign), kind, cursor),
    );
    if (found.length > 0 || !/^[:：]$/.test(sign.groups?.['sign'] ?? '')) return found;
    const answer = findPromptAnswer(text, name);
    if (answer.length > 0) return answer;
    const typed = matchAt(typedAssignment, text, name.end);
    return typed === null
      ? []
      : createSpans(text, kind, readValue(text, name.end + typed[0].length, 'bare', kind, cursor));
  }
  // In `config set --secret NAME VALUE`, the flag has no value.
  if (name.text === '--secret' && isSetCommand(text, name)) return [];
  if (isFlag(name.text) || isSetCommand(text, name) || isDirective(text, name)) {
    const gap = matchAt(flagGap, text, name.end);
    return gap === null
      ? []
      : createSpans(text, kind, readValue(text, name.end + gap[0].length, 'literal', kind, cursor));
  }
  if (text[name.end] === '>' && /[<:]/.test(text[name.start - 1] ?? '')) {
    const span = { start: name.end + 1, end: cursor.endOfRun('tag', name.end + 1) };
    const value = text.slice(span.start, Math.min(span.end, span.start + 240));
    return text[span.end] === '<' && !/[{}]/.test(value) && isSecretValue(value, kind, 'quoted')
      ? [span]
      : [];
  }
  const content = matchAt(elementContent, text, name.end);
  if (content !== null) {
    const start = name.end + content[0].length;
    const end = cursor.endOfRun('tag', start);
    return text[end] === '<' ? createSpans(text, kind, { start, end, context: 'bare' }) : [];
  }
  const item = matchAt(nextItem, text, name.end);
  if (item !== null && listStart.test(text.slice(Math.max(0, name.start - 12), name.start)))
    return readPairValue(text, name, item, cursor);
  const alone = [
    ...findPromptAnswer(text, name),
    ...findColumnValue(text, name),
    ...findValueBeforeLabel(text, name),
  ];
  return alone.length > 0 ? alone : findValueInSentence(text, name, cursor);
}

/** Matches the content in `<property name="password">x<` and `<key>password</key><string>x<`. */
const elementContent =
  /(?:\\{0,8}["'](?:\s{1,8}[\w:-]{1,40}=\\{0,8}["'][^"'<>]{0,80}["']){0,4}\s{0,4}>|<\/(?:name|key|id)>(?:\s|\\{1,8}[nrt]){0,80}(?=<))(?:<(?:value|string)>)?/y;
/** Matches the next item in `["NAME", "x"]` and `setenv("NAME", "x")`. */
const nextItem = /(?<slashes>\\{0,8})(?<quote>["'])\s{0,8},\s{0,8}[uUbrf@]?\k<slashes>\k<quote>/y;
const listStart = /[[(]\s{0,8}\\{0,8}["']$/;
const listEnd = /\\{0,8}["']\s{0,8}(?:[\])]|,\s{0,8}\w{1,8}\s{0,8}\))/y;

function readPairValue(text: string, { kind, end }: Name, item: RegExpExecArray, cursor: TextCursor): Span[] {
  const start = end + item[0].length;
  const { slashes = '', quote = '"' } = item.groups ?? {};
  const span = { start, end: findQuoteEnd(text, start, slashes, quote, cursor), context: 'bare' as const };
  const isPair = matchAt(listEnd, text, span.end) !== null;
  return isPair && looksRandom(text.slice(start, Math.min(span.end, start + 240)))
    ? createSpans(text, kind, span)
    : [];
}

/** Reads a value in percent-encoded text: `user%26password%3Dx%26`. */
function readEncodedValue(text: string, start: number, cursor: TextCursor): Value {
  const end = trimEscape(text, start, cursor.endOfRun('word', start));
  const next = text.slice(start, Math.min(end, start + 4_096)).search(/%(?:25){0,4}26|&/);
  return { start, end: next === -1 ? end : start + next, context: 'bare' };
}

const promptEnd =
  /(?:[ \t]{1,4}for[ \t]{1,4}[^\n"`]{1,160}?)?[ \t\u00a0]?[:：](?:[ \t]{0,8}(?<lineBreak>\r?\n|(?:\\{1,8}r)?\\{1,8}n)|[ \t]{1,8})[ \t]{0,8}/y;
const answerAlone = /(?=(?<all>[^\s"'`\\]{4,240}))\k<all>(?=[ \t]{0,8}(?:$|[\r\n]|\\{1,8}[nr"']|["'`]))/y;
const QUESTION_VERB =
  /(?:\b(?:enter|type|repeat|confirm|your|sudo|eingeben|entrez|saisissez|introduzca|ingrese)\b|введите|请输入|[\w)]['’]s[ \t]|\[sudo\])[^\n:]{0,40}$/i;

/** Finds the answer to `Enter password:` alone on the next line. An ordinary word only counts after a question. */
function findPromptAnswer(text: string, name: Name): Span[] {
  if (name.kind === 'header' || name.kind === 'cookie') return [];
  const prompt = matchAt(promptEnd, text, name.end);
  if (prompt === null) return [];
  const at = name.end + prompt[0].length;
  const answer = matchAt(answerAlone, text, at)?.[0] ?? '';
  const span = { start: at, end: at + answer.length, context: 'bare' as const };
  if (answer === '' || /[(){}]/.test(answer)) return [];
  const isQuestion =
    QUESTION_VERB.test(text.slice(Math.max(0, name.start - 60), name.start)) || / for /.test(prompt[0]);
  if (
    isQuestion &&
    prompt.groups?.['lineBreak'] !== undefined &&
    name.kind === 'password' &&
    /^[^<>[\]:.,;]+$/.test(answer)
  )
    return isSecretValue(answer, 'password', 'literal') ? [span] : [];
  return looksRandom(answer) ? createSpans(text, name.kind, span) : [];
}

/**
 * Returns `literal` for text that cannot be an expression: `NAME=x` in capitals, a flag, the beginning of a line, or a
 * connection string.
 */
function classifyContext(text: string, name: Name, sign: RegExpExecArray): ValueContext {
  const isTight = sign.groups?.['blank'] === '' && sign.groups?.['space'] === '';
  const isCapitals = /^[A-Z][A-Z0-9_]*$/.test(name.text);
  if (sign.groups?.['sign'] === '=') {
    if (isTight && (isCapitals || isFlag(name.text))) return 'literal';
    if (isTight && text[name.start - 1] === ';' && name.kind === 'password') return 'literal';
    return 'bare';
  }
  if (sign.groups?.['sign'] !== ':') return 'bare';
  if (/^x[-_]/i.test(name.text) && name.text.includes('-')) return 'literal';
  const isFirst = /(?:^|[\n\r])[ \t]*(?:\d{1,6}[→\t|:][ \t]*)?(?:[-+>][ \t]*)?$/.test(
    text.slice(Math.max(0, name.start - 60), name.start),
  );
  return isCapitals && isFirst ? 'literal' : 'bare';
}

/** Matches one or three quotes, such as `"""` of Python, also escaped. */
const opening =
  /[fbruFBRUN]{0,2}(?<slashes>\\{0,8})(?<quote>["'`])(?:(?<triple>(?:\k<slashes>\k<quote>){2})(?:\s|\\{1,8}[nrt]){0,8})?/y;

function readValue(
  text: string,
  at: number,
  context: ValueContext,
  kind: NameKind,
  cursor: TextCursor,
): Value {
  const quoted = matchAt(opening, text, at);
  const isProseTick = quoted?.groups?.['quote'] === '`' && text[at - 1] === '=';
  if (quoted !== null && !isProseTick) {
    const start = at + quoted[0].length;
    const slashes = quoted.groups?.['slashes'] ?? '';
    const quote = (quoted.groups?.['quote'] ?? '"') + (quoted.groups?.['triple'] ?? '');
    return { start, end: findQuoteEnd(text, start, slashes, quote, cursor), context: 'quoted' };
  }
  if (kind === 'header' || kind === 'cookie') {
    return { start: at, end: findHeaderEnd(text, at, cursor), context };
  }
  if (context !== 'literal') {
    const end = cursor.endOfRun(kind === 'password' ? 'statement' : 'word', at);
    return { start: at, end: trimEscape(text, at, end), context };
  }
  // On a separate line, also inside a string, shell characters belong to the value.
  const isLine = /(?:^|[\n"'`]|\\[nr])[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*[=:][ \t]*$/.test(
    text.slice(Math.max(0, at - 120), at),
  );
  const end = trimEscape(text, at, cursor.endOfRun(isLine ? 'blank' : 'shell', at));
  return { start: at, end: text[end - 1] === ';' ? end - 1 : end, context };
}

/** In a JSON string, a line ends with a backslash and a letter, and the string ends with a backslash and a quote. */
function trimEscape(text: string, start: number, end: number): number {
  const escape = text.slice(start, Math.min(end, start + 4_096)).search(/\\{1,8}(?:[nrt]|$)/);
  return escape === -1 ? end : start + escape;
}

function findQuoteEnd(
  text: string,
  start: number,
  slashes: string,
  quote: string,
  cursor: TextCursor,
): number {
  const lineEnd = cursor.endOfLine(start);
  if (slashes === '') {
    const close = cursor.closingQuote(quote, start);
    if ((quote === '`' || quote.length > 1) && close !== -1) return close;
    return close === -1 || close > lineEnd ? lineEnd : close;
  }
  const close = text.slice(start, Math.min(lineEnd, start + 4_096)).indexOf(slashes + quote);
  return close === -1 ? cursor.endOfRun('word', start) : start + close;
}

/** Returns the end of the line, or of the quotes around the header. */
function findHeaderEnd(text: string, at: number, cursor: TextCursor): number {
  const lineEnd = cursor.endOfLine(at);
  const ends = ['"', "'", '`']
    .map((quote) => cursor.closingQuote(quote, at))
    .filter((end) => end !== -1 && end <= lineEnd);
  const end = Math.min(lineEnd, ...ends);
  const escaped = text.slice(at, Math.min(end, at + 8_192)).search(/\\{1,8}(?:["'nr]|$)/);
  const stop = escaped === -1 ? end : at + escaped;
  return text[stop - 1] === '\r' ? stop - 1 : stop;
}

/** Finds the values of `passwords: ["a", "b"]` and `"tokens": ["…"]`. */
function findListValues(text: string, at: number, kind: NameKind, cursor: TextCursor): Span[] {
  if (text[at] === '{') return [];
  const ahead = text.slice(at, at + 4_096);
  const list = ahead.slice(0, Math.max(0, ahead.indexOf(']')));
  const found: Span[] = [];
  const item = /(?<slashes>\\{0,8})(?<quote>["'])/g;
  for (let match = item.exec(list); match !== null; match = item.exec(list)) {
    const start = at + match.index + match[0].length;
    const end = findQuoteEnd(
      text,
      start,
      match.groups?.['slashes'] ?? '',
      match.groups?.['quote'] ?? '"',
      cursor,
    );
    if (end <= start) break;
    found.push(...createSpans(text, kind, { start, end, context: 'quoted' }));
    item.lastIndex = end - at + (match.groups?.['slashes'] ?? '').length + 1;
  }
  return found;
}

/**
 * Finds the value in `the password is hunter2`. Without a verb, only a value that no user would type as a word counts.
 */
function findValueInSentence(text: string, name: Name, cursor: TextCursor): Span[] {
  if (name.kind === 'header' || name.kind === 'cookie') return [];
  const verb = matchAt(sentenceVerb, text, name.end);
  const arrow = verb === null ? matchAt(arrowGap, text, name.end) : null;
  const isNoun =
    name.kind === 'password' &&
    !/^pass$/i.test(name.text) &&
    (isForeignPassword(name.text) || beforeNoun.test(text.slice(Math.max(0, name.start - 12), name.start)));
  const noun = isNoun && verb === null && arrow === null ? matchAt(proseGap, text, name.end) : null;
  const match =
    verb ?? arrow ?? matchAt(requiredGap, text, name.end) ?? noun ?? matchAt(labelGap, text, name.end);
  if (match === null) return [];
  const at = name.end + match[0].length;
  const value = readValue(text, at, 'bare', name.kind, cursor);
  const content = text.slice(value.start, Math.min(value.end, value.start + 240)).replace(/[.,;!?]+$/, '');
  // `pass` is also a verb, and Markdown quotes commands with backticks.
  const isQuotedPassword =
    name.kind === 'password' &&
    !/^pass$/i.test(name.text) &&
    /["']/.test(text[value.start - 1] ?? '') &&
    !/^-|\//.test(content);
  const isVariable = VARIABLE.test(name.text);
  const isLikelySecret =
    verb !== null || noun !== null || isQuotedPassword || (arrow !== null && isVariable)
      ? looksRandom
      : looksGenerated;
  return isLikelySecret(content)
    ? createSpans(text, name.kind, {
        ...value,
        end: value.end - value.start > 240 ? value.end : value.start + content.length,
      })
    : [];
}

const BEFORE =
  /(?<=^|[\s"'`(])(?<value>[^\s"'`]{6,64})["'`]? (?:is|as|ist|als|est|es|é) (?:the|my|our|your|das|mein|le|la|el|o|a) (?:\p{L}{2,14} ){0,2}$/iu;

/** Finds the value in `hunter42 is the admin password` and `use "hunter42" as the password`. */
function findValueBeforeLabel(text: string, { kind, start }: Name): Span[] {
  if (kind === 'header' || kind === 'cookie') return [];
  const before = text.slice(Math.max(0, start - 160), start);
  const value = BEFORE.exec(before)?.groups?.['value'] ?? '';
  if (!looksRandom(value)) return [];
  const at = start - before.length + before.lastIndexOf(value);
  return createSpans(text, kind, { start: at, end: at + value.length, context: 'bare' });
}

/** Finds the value in a list of PowerShell variables: the name, spaces and the value on one line. */
function findColumnValue(text: string, name: Name): Span[] {
  if (!VARIABLE.test(name.text)) return [];
  const gap = matchAt(columnGap, text, name.end);
  if (gap === null || !/(?:^|\n|\\n)$/.test(text.slice(Math.max(0, name.start - 2), name.start))) return [];
  const start = name.end + gap[0].length;
  const value = gap.groups?.['value'] ?? '';
  return looksRandom(value)
    ? createSpans(text, name.kind, { start, end: start + value.length, context: 'bare' })
    : [];
}

/** Keeps the scheme of a header: `Bearer [redacted:header]`. */
function createSpans(text: string, kind: NameKind, value: Value): Span[] {
  const content = text.slice(value.start, Math.min(value.end, value.start + 240));
  if (!isSecretValue(content, kind, value.context)) return [];
  const scheme =
    kind === 'header' ? (/^\s*[A-Za-z0-9-]{1,24}[ \t]+(?=\S)/.exec(content)?.[0].length ?? 0) : 0;
  const trailing =
    value.context === 'bare' && kind !== 'header' ? (/[;,]+$/.exec(content)?.[0].length ?? 0) : 0;
  return [{ start: value.start + scheme, end: value.end - (value.end - value.start <= 240 ? trailing : 0) }];
}

function isFlag(name: string): boolean {
  return name.startsWith('--') || /^-D?[A-Za-z][\w.-]+$/.test(name);
}

/**
 * Matches `set NAME VALUE` of shells and tools, with flags in between and a scope before the name
 * (`//host/:_authToken`).
 */
const SET_COMMAND =
  /(?:^|[\s;&|"'`(]|\\[nr])(?:setx|setenv|set[ \t]{1,4}-\w{1,8}|ENV|ARG|(?:config(?:ure)?|secrets?|vars?|variables?|env|user-secrets|npm|pnpm)[ \t]{1,4}(?:set|SET|put|add|create)|CONFIG[ \t]{1,4}SET|(?:git|yarn|composer|poetry|bundle|pip)[ \t]{1,4}config(?:[ \t]{1,4}set)?)(?:[ \t]{1,4}(?:-{1,2}[A-Za-z][\w-]{0,30}(?:[ =](?![-/])[\w.]{1,40})?|\/M)){0,4}[ \t]{1,4}\\{0,8}["']?(?:[^\s="']{1,100}[:/])?$/;

function isSetCommand(text: string, name: Name): boolean {
  const before = text.slice(Math.max(0, name.start - 240), name.start);
  return /[ \t"':/]$/.test(before) && SET_COMMAND.test(before);
}

/** Returns true for a line of a configuration file: the name of the setting, a space and the value. */
function isDirective(text: string, name: Name): boolean {
  if (!/^(?:requirepass|masterauth|rootpw|rootbindpw|bindpw)$/.test(name.text)) return false;
  return (
    /(?:^|[\n\r"'`]|\\[nr])[ \t]*$/.test(text.slice(Math.max(0, name.start - 20), name.start)) &&
    /^[ \t]{1,40}[^\s"'`\\]{1,240}[ \t]{0,8}(?:$|[\r\n\\"'`])/.test(text.slice(name.end, name.end + 300))
  );
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

import { escapeRegExp } from '@claude-mem/core';
import type { SecretRule } from './secret-rule.js';
import { SECRET_RULES, UNANCHORED_RULES } from './secret-rules.js';

const RULES_BY_ANCHOR = groupByAnchor(SECRET_RULES);
// Longer anchors come first, so that `sk-ant-` is tried before `sk-`. The rules of shorter anchors are also tried.
const ANCHORS = [...RULES_BY_ANCHOR.keys()].sort((a, b) => b.length - a.length);
const anchorPattern = new RegExp(ANCHORS.map(escapeRegExp).join('|'), 'g');

export const redaction = (rule: string) => `[redacted:${rule}]`;

/** Replaces secrets with a known format: `ghp_…`, `://user:pass@`, JWTs. */
export function scrubKnownSecrets(text: string): { text: string; removed: number } {
  let removed = 0;
  let result = '';
  let from = 0;
  anchorPattern.lastIndex = 0;
  for (let match = anchorPattern.exec(text); match !== null; match = anchorPattern.exec(text)) {
    const secret = secretAt(text, match.index, match[0]);
    if (secret === null) {
      anchorPattern.lastIndex = match.index + 1;
      continue;
    }
    result += text.slice(from, secret.start) + redaction(secret.name);
    from = secret.end;
    anchorPattern.lastIndex = Math.max(secret.end, match.index + 1);
    removed += 1;
  }
  result = from === 0 ? text : result + text.slice(from);
  for (const { name, hint, pattern } of UNANCHORED_RULES) {
    if (!hint.test(result)) continue;
    result = result.replace(pattern, (...found: unknown[]) => {
      removed += 1;
      const groups = found.at(-1) as { keep?: string } | string;
      return (typeof groups === 'object' ? (groups.keep ?? '') : '') + redaction(name);
    });
  }
  return { text: result, removed };
}

function secretAt(
  text: string,
  at: number,
  anchor: string,
): { name: string; start: number; end: number } | null {
  const isWordStart = startsWord(text, at);
  for (const rule of RULES_BY_ANCHOR.get(anchor) ?? []) {
    if (!isWordStart && rule.isInsideWord !== true) continue;
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const start = at + (match.groups?.['keep']?.length ?? 0);
    const end = at + match[0].length;
    if (rule.isSecret?.(text.slice(start, end)) === false) continue;
    return { name: rule.name, start, end };
  }
  return null;
}

/**
 * Returns true at the start of a word, also after an escape that ends with a letter or a digit: `\n`, `\u003d`, `%3D`
 * or a color.
 */
function startsWord(text: string, at: number): boolean {
  if (at === 0 || !isWordUnit(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\') return /[nrtbf]/.test(text[at - 1] ?? '');
  if (text[at - 3] === '%' || text[at - 6] === '\\' || text[at - 4] === '\\' || text[at - 1] === 'm') {
    // eslint-disable-next-line no-control-regex -- colours begin with ESC
    return /(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e)\[[0-9;]{0,12}m)$/.test(
      text.slice(Math.max(0, at - 24), at),
    );
  }
  return false;
}

function isWordUnit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

function groupByAnchor(rules: readonly SecretRule[]): Map<string, SecretRule[]> {
  const groups = new Map<string, SecretRule[]>();
  for (const anchor of rules.flatMap((rule) => rule.anchors)) {
    const matching = rules.filter((rule) => rule.anchors.some((other) => anchor.startsWith(other)));
    groups.set(anchor, [...new Set(matching)]);
  }
  return groups;
}

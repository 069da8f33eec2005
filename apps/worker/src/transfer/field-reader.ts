import {
  FACT_ORIGINS,
  FILE_ROLES,
  isRecord,
  type Fact,
  type FileState,
  type ToolUseCount,
} from '@claude-mem/core';

/** Reads the fields of one JSON object and collects their problems. */
export interface FieldReader {
  problems: string[];
  has(name: string): boolean;
  text(name: string): string | null;
  requiredText(name: string): string;
  /** A trimmed text, or a number as text. Null when it is empty. */
  id(name: string): string | null;
  requiredId(name: string): string;
  texts(name: string): string[];
  /** Texts, or texts with their origins. */
  facts(name: string): Fact[];
  /** @default 0 */
  count(name: string): number;
  /** @default false */
  flag(name: string): boolean;
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | null;
  /** An ISO time or milliseconds since 1970. @default now, or `fallback` */
  time(name: string, fallback?: number): number;
  toolUses(name: string): ToolUseCount[] | null;
  /** The id of a commit or a blob. Any other text is read as null, since it could not be verified. */
  gitId(name: string): string | null;
  fileStates(name: string): FileState[];
}

const MAX_ID = 4_096;
const MAX_EPOCH = 8.64e15;

export function createFieldReader(value: Record<string, unknown>, now: number): FieldReader {
  const problems: string[] = [];
  const problem = <Fallback>(text: string, fallback: Fallback): Fallback => {
    problems.push(text);
    return fallback;
  };
  const field = (name: string) => value[name] ?? null;
  const fields: FieldReader = {
    problems,
    has: (name) => field(name) !== null,
    text(name) {
      const text = field(name);
      return text === null || typeof text === 'string' ? text : problem(`${name} must be a text`, null);
    },
    requiredText: (name) => fields.text(name) ?? problem(`${name} is missing`, ''),
    id(name) {
      const id = value[name];
      const text = typeof id === 'number' ? String(id) : fields.text(name);
      return text === null || text.trim() === '' ? null : text.trim().slice(0, MAX_ID);
    },
    requiredId(name) {
      const before = problems.length;
      const id = fields.id(name);
      if (id === null && problems.length === before) problems.push(`${name} is missing`);
      return id ?? '';
    },
    texts(name) {
      const list = value[name] ?? [];
      if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
      return problem(`${name} must be a list of texts`, []);
    },
    facts(name) {
      const list = field(name) ?? [];
      const facts = Array.isArray(list) ? list.map(readFact) : [null];
      return facts.every((fact) => fact !== null)
        ? facts
        : problem(`${name} must be a list of texts, or of objects with text and origin`, []);
    },
    count(name) {
      const count = value[name] ?? 0;
      return isCount(count) ? count : problem(`${name} must be a whole number from 0`, 0);
    },
    flag(name) {
      const flag = value[name] ?? false;
      return typeof flag === 'boolean' ? flag : problem(`${name} must be true or false`, false);
    },
    oneOf(name, words) {
      const word = field(name);
      if (word === null) return null;
      return words.find((one) => one === word) ?? problem(`${name} must be one of ${words.join(', ')}`, null);
    },
    time(name, fallback = now) {
      const time = readTime(value[name], fallback);
      return time ?? problem(`${name} must be an ISO time or milliseconds since 1970`, fallback);
    },
    toolUses(name) {
      const list = field(name);
      if (list === null) return null;
      const isList = Array.isArray(list) && list.every(isToolUse);
      return isList ? list : problem(`${name} must be a list of tool, count and failed`, null);
    },
    gitId: (name) => readGitId(fields.text(name)),
    fileStates(name) {
      const list = field(name) ?? [];
      return Array.isArray(list)
        ? list.flatMap(readFileState)
        : problem(`${name} must be a list of path, role and blob`, []);
    },
  };
  return fields;
}

/** An origin of a later version is unknown here. */
function readFact(value: unknown): Fact | null {
  if (typeof value === 'string') return { text: value, origin: null };
  if (!isRecord(value) || typeof value['text'] !== 'string') return null;
  return { text: value['text'], origin: FACT_ORIGINS.find((one) => one === value['origin']) ?? null };
}

const readGitId = (value: unknown): string | null =>
  typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : null;

/** A role of a later version is unknown here. */
function readFileState(value: unknown): FileState[] {
  if (!isRecord(value) || typeof value['path'] !== 'string') return [];
  const role = FILE_ROLES.find((one) => one === value['role']);
  return role === undefined ? [] : [{ path: value['path'], role, blob: readGitId(value['blob']) }];
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 1e9;

const isToolUse = (value: unknown): value is ToolUseCount =>
  isRecord(value) && typeof value['tool'] === 'string' && isCount(value['count']) && isCount(value['failed']);

function readTime(value: unknown, fallback: number): number | null {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'number') return value >= 0 && value <= MAX_EPOCH ? Math.floor(value) : null;
  if (typeof value !== 'string' || !ISO.test(value.trim())) return null;
  const epoch = Date.parse(value.trim());
  const day = value.trim().slice(0, 10);
  const isRealDay = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return epoch >= 0 && isRealDay ? epoch : null;
}

const ISO = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ]|$)/;

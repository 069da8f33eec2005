import type { StoredRecords } from './local-records.js';

/**
 * A turn of the shared examples. Criteria have the form `text: a || b`, `modified: path`, `read: path` or `fact: …`.
 */
export interface Example {
  id: string;
  kind: string;
  transcript: string;
  prompt_number: number;
  prompt_start: string;
  tool_uses: number;
  must: string[];
  must_not: string[];
  expect_count: [number, number];
  expect_types: string[];
}

export interface Score {
  met: number;
  total: number;
  missing: string[];
  broken: string[];
  count: number;
  countIsRight: boolean;
  typeIsRight: boolean;
  /** Criteria that need a human judge. */
  forJudge: number;
}

/** Checks the criteria that need no judge: texts, files, and the number and types of observations. */
export function scoreTurn(example: Example, records: StoredRecords): Score {
  const checkable = (marks: readonly string[]) => marks.filter((mark) => !mark.startsWith('fact:'));
  const musts = checkable(example.must);
  const missing = musts.filter((mark) => !holds(mark, records));
  const count = records.observations.length;
  const [least, most] = example.expect_count;
  const types = records.observations.map(({ type }) => type);
  return {
    met: musts.length - missing.length,
    total: musts.length,
    missing,
    broken: checkable(example.must_not).filter((mark) => holds(mark, records)),
    count,
    countIsRight: count >= least && count <= most,
    typeIsRight:
      types.length === 0
        ? example.expect_types.length === 0 || least === 0
        : types.some((type) => example.expect_types.some((wanted) => wanted.split('|').includes(type))),
    forJudge:
      [...example.must, ...example.must_not].length - musts.length - checkable(example.must_not).length,
  };
}

function holds(mark: string, { observations, summaries }: StoredRecords): boolean {
  const [, kind, value = ''] = /^(\w+):\s*(.*)$/s.exec(mark) ?? [];
  if (kind === 'text') {
    const records = observations.map(({ facts, ...rest }) => [rest, facts.map((fact) => fact.text)]);
    const text = JSON.stringify([records, summaries])
      .replaceAll('\\"', '"')
      .replaceAll('\\\\', '\\')
      .toLowerCase();
    return value.split('||').some((wanted) => text.includes(wanted.trim().toLowerCase()));
  }
  const files = observations.flatMap((record) => (kind === 'read' ? record.filesRead : record.filesModified));
  return value.trim() === '*' ? files.length > 0 : files.some((file) => file.endsWith(value.trim()));
}

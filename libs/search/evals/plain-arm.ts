import type { EvalQuery, EvalSet, EvalTask, ImportLine } from './eval-set.js';
import { createPlainBm25, type PlainBm25 } from './plain-bm25.js';

/** Creates an arm that ranks with plain BM25. A session gets the rank of its best record. */
export function createPlainArm({ lines }: EvalSet) {
  const projects = new Map<string, { lines: ImportLine[]; withFiles: PlainBm25; textOnly: PlainBm25 }>();
  for (const [project, own] of byProject(lines)) {
    projects.set(project, {
      lines: own,
      textOnly: createPlainBm25(own.map(textOf)),
      withFiles: createPlainBm25(own.map((line) => `${textOf(line)}\n${filesOf(line)}`)),
    });
  }
  return {
    rank(query: EvalQuery, unit: EvalTask['unit']): string[] {
      const project = projects.get(query.project);
      if (!project) return [];
      const index = query.contextFiles ? project.withFiles : project.textOnly;
      const found = index
        .search([query.text, ...(query.contextFiles ?? [])].join('\n'))
        .flatMap((hit) => project.lines[hit.index] ?? [])
        .filter(({ created_at }) => Date.parse(created_at) <= (query.dateTo ?? Number.POSITIVE_INFINITY));
      const ids = found.map(({ uid, session }) => (unit === 'session' ? session : uid));
      return [...new Set(ids)].filter((id) => id !== query.except);
    },
  };
}

function textOf({ title, narrative, facts = [] }: ImportLine): string {
  const factTexts = facts.map((fact) => (typeof fact === 'string' ? fact : fact.text));
  return [title, narrative, ...factTexts].filter((text) => text !== undefined).join('\n');
}

function filesOf({ files_read = [], files_modified = [] }: ImportLine): string {
  return [...files_read, ...files_modified].join('\n');
}

function byProject(lines: readonly ImportLine[]): Map<string, ImportLine[]> {
  const groups = new Map<string, ImportLine[]>();
  for (const line of lines) groups.set(line.project, [...(groups.get(line.project) ?? []), line]);
  return groups;
}

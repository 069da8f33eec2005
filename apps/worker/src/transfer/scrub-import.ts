import type { ImportedRecord } from '@claude-mem/core';
import { createTextScrubber } from '@claude-mem/privacy';

/** Replaces secrets and private text. Ids, project and session stay unchanged because they identify the record. */
export function scrubImport(record: ImportedRecord): ImportedRecord {
  const scrubNext = createTextScrubber();
  const text = (value: string) => scrubNext(value).text;
  const optional = (value: string | null) => (value === null ? null : text(value));
  switch (record.kind) {
    case 'project':
      return { ...record, name: optional(record.name) };
    case 'session':
      return {
        ...record,
        cwd: optional(record.cwd),
        title: optional(record.title),
        userPrompt: optional(record.userPrompt),
        toolUses: record.toolUses?.map((use) => ({ ...use, tool: text(use.tool) })) ?? null,
      };
    case 'prompt':
      return {
        ...record,
        promptText: text(record.promptText),
        agentReply: optional(record.agentReply ?? null),
        branch: optional(record.branch ?? null),
      };
    case 'summary':
      return {
        ...record,
        request: optional(record.request),
        investigated: optional(record.investigated),
        learned: optional(record.learned),
        completed: optional(record.completed),
        nextSteps: optional(record.nextSteps),
        notes: optional(record.notes),
        filesRead: record.filesRead.map(text),
        filesEdited: record.filesEdited.map(text),
      };
    default:
      return {
        ...record,
        type: text(record.type),
        title: optional(record.title),
        subtitle: optional(record.subtitle),
        narrative: optional(record.narrative),
        facts: record.facts.map((fact) => ({ ...fact, text: text(fact.text) })),
        concepts: record.concepts.map(text),
        filesRead: record.filesRead.map(text),
        filesModified: record.filesModified.map(text),
        fileStates: record.fileStates?.map((file) => ({ ...file, path: text(file.path) })) ?? [],
      };
  }
}

import type { WorkerClient } from '@claude-mem/worker-protocol';
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Conversation } from '../conversation-of.js';
import type { ProjectKey } from '../current-project.js';
import type { MemoryQuestions } from '../memory/create-memory-questions.js';

/** What a tool works with. */
export interface ToolContext {
  memory: MemoryQuestions;
  /** For writes, which only the worker does. */
  worker: WorkerClient;
  /** Rejects when the worker answers nothing at all, long before a write is given up. */
  workerAnswers(): Promise<unknown>;
  /** The project the client works in; null where that is none. */
  here(): Promise<ProjectKey | null>;
  /** The conversation it is asked in; null: not known. */
  session(): Conversation | null;
  /** Types that records have, the current mode's first. */
  types: readonly string[];
  home: string;
  now(): number;
  /** IANA name. */
  timeZone(): string;
}

interface ToolAnswer {
  text: string;
  /** Only with `output`. Hosts show it to the model in place of the text. */
  structured?: object;
}

/** One tool of the server. What it cannot do it throws as an error whose message the agent reads. */
export interface Tool<Input = never> {
  name: string;
  title: string;
  description: string;
  input: StandardSchemaWithJSON<Input>;
  output?: StandardSchemaWithJSON<object>;
  annotations: ToolAnnotations;
  run(input: Input, context: ToolContext): Promise<ToolAnswer>;
}

/** Keeps the type of a tool's input. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

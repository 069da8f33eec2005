import type { WorkerClient } from '@claude-mem/worker-protocol';
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Conversation } from '../find-conversation.js';
import type { ProjectKey } from '../current-project.js';
import type { FallbackReader } from '../memory/create-fallback-reader.js';

/** Services and values for the tools. */
export interface ToolContext {
  memory: FallbackReader;
  /** For writes. Only the worker writes. */
  worker: WorkerClient;
  /** Rejects when the worker does not answer. Its timeout is shorter than the timeout of a write. */
  checkWorker(): Promise<unknown>;
  /** The project of the client. Null when the client works in no project. */
  currentProject(): Promise<ProjectKey | null>;
  /** The conversation of the client. Null when it is not known. */
  conversation(): Conversation | null;
  /** Record types of the current mode. */
  types: readonly string[];
  home: string;
  now(): number;
  /** IANA name. */
  timeZone(): string;
}

interface ToolAnswer {
  text: string;
  /** Only for tools with `output`. Some hosts give it to the model instead of the text. */
  structured?: object;
}

/** A tool of the server. When a call fails, the agent reads the message of the thrown error. */
export interface Tool<Input = never> {
  name: string;
  title: string;
  description: string;
  input: StandardSchemaWithJSON<Input>;
  output?: StandardSchemaWithJSON<object>;
  annotations: ToolAnnotations;
  run(input: Input, context: ToolContext): Promise<ToolAnswer>;
}

/** Infers the input type of a tool from its schema. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

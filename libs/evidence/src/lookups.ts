import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { getList, getOutput, getText } from './json-fields.js';

/** A search in the project. */
export interface Search {
  pattern: string;
  found: boolean;
  at: number;
}

const SEARCH = /^(?:Grep|grep|grep_files|search_file_content|codebase_search|grep_search|search)$/;

export function readSearch(use: ObservedToolUse, at: number): Search | null {
  if (!SEARCH.test(use.toolName) || use.outcome === 'failed') return null;
  const pattern = getText(use.input, 'pattern', 'query', 'regex');
  if (pattern === null || pattern.length > 200) return null;
  const hits =
    getList(use.response, 'filenames').length > 0 || /\S/.test(getText(use.response, 'content') ?? '');
  const text = getOutput(use.response);
  return {
    pattern: toSingleLine(pattern),
    found: hits || (text !== '' && !/^No (?:files|matches) found/i.test(text)),
    at,
  };
}

/** A web page or a document outside the project that the agent requested. */
export interface Lookup {
  query: string;
  at: number;
}

const WEB = /^(?:WebFetch|WebSearch|web_fetch|google_web_search|webfetch|web_search)$/;
/** A web search can report an error in a successful response. */
const UNAVAILABLE = /^\s*(?:web )?search error\b/im;
const DOCS = /(?:context7|deepwiki|docs?)_*.*(?:query|get|read|search|ask)/i;

export function readLookup(use: ObservedToolUse, at: number): Lookup | null {
  if (use.outcome === 'failed' || UNAVAILABLE.test(getOutput(use.response).slice(0, 600))) return null;
  if (!WEB.test(use.toolName) && !(use.toolName.startsWith('mcp__') && DOCS.test(use.toolName))) return null;
  const query = getText(use.input, 'url', 'query', 'libraryId', 'prompt');
  return query === null ? null : { query: truncate(toSingleLine(query.split(/[?#]/, 1)[0]!), 160), at };
}

/** The task and the answer of a sub-agent. */
export interface AgentResult {
  task: string;
  answer: string;
  at: number;
}

export function readAgentResult(use: ObservedToolUse, at: number): AgentResult | null {
  if (!/^(?:Task|Agent|task|delegate_to_agent|spawn_agent)$/.test(use.toolName) || use.outcome === 'failed')
    return null;
  const answer = getOutput(use.response);
  if (answer.trim() === '') return null;
  return { task: truncate(toSingleLine(getText(use.input, 'description', 'prompt') ?? ''), 120), answer, at };
}

import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { listOf, outputOf, textOf } from './json-fields.js';

/** Something that was looked for in the project. */
export interface Search {
  pattern: string;
  found: boolean;
  at: number;
}

const SEARCH = /^(?:Grep|grep|grep_files|search_file_content|codebase_search|grep_search|search)$/;

export function searchOf(use: ObservedToolUse, at: number): Search | null {
  if (!SEARCH.test(use.toolName) || use.outcome === 'failed') return null;
  const pattern = textOf(use.input, 'pattern', 'query', 'regex');
  if (pattern === null || pattern.length > 200) return null;
  const hits =
    listOf(use.response, 'filenames').length > 0 || /\S/.test(textOf(use.response, 'content') ?? '');
  const text = outputOf(use.response);
  return {
    pattern: toSingleLine(pattern),
    found: hits || (text !== '' && !/^No (?:files|matches) found/i.test(text)),
    at,
  };
}

/** Something that was looked up outside the project. */
export interface Lookup {
  what: string;
  at: number;
}

const WEB = /^(?:WebFetch|WebSearch|web_fetch|google_web_search|webfetch|web_search)$/;
/** A search tool can report that it found nothing with a successful call. */
const UNAVAILABLE = /^\s*(?:web )?search error\b/im;
const DOCS = /(?:context7|deepwiki|docs?)_*.*(?:query|get|read|search|ask)/i;

export function lookupOf(use: ObservedToolUse, at: number): Lookup | null {
  if (use.outcome === 'failed' || UNAVAILABLE.test(outputOf(use.response).slice(0, 600))) return null;
  if (!WEB.test(use.toolName) && !(use.toolName.startsWith('mcp__') && DOCS.test(use.toolName))) return null;
  const what = textOf(use.input, 'url', 'query', 'libraryId', 'prompt');
  return what === null ? null : { what: truncate(toSingleLine(what.split(/[?#]/, 1)[0]!), 160), at };
}

/** What a sub-agent was asked and answered. */
export interface AgentResult {
  task: string;
  answer: string;
  at: number;
}

export function agentResultOf(use: ObservedToolUse, at: number): AgentResult | null {
  if (!/^(?:Task|Agent|task|delegate_to_agent|spawn_agent)$/.test(use.toolName) || use.outcome === 'failed')
    return null;
  const answer = outputOf(use.response);
  if (answer.trim() === '') return null;
  return { task: truncate(toSingleLine(textOf(use.input, 'description', 'prompt') ?? ''), 120), answer, at };
}

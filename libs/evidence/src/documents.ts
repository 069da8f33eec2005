import { truncate, toSingleLine, type ObservedToolUse } from '@claude-mem/core';
import { getOutput, getText } from './json-fields.js';

/** A text that describes a task and its reason: an issue, a to-do item or a plan. */
export interface TaskDocument {
  /** Issue id such as `ENT-98` or `#12`, or null. */
  id: string | null;
  /** The file that contains the text, or null when the text came from another source. */
  path: string | null;
  title: string;
  /** First sentences of the section that gives the reason. */
  reason: string | null;
  at: number;
}

const REASON =
  /^(?:the )?(?:problem|context|background|motivation|why|summary|description|goal|objective|overview|issue|what|purpose|symptom|問題|背景|目的|概要|背景|问题|目标|kontext|hintergrund|ziel|problem|contexte|objectif|contexto|objetivo|проблема|контекст|цель)\b|^(?:問題|背景|目的|概要|问题|目标)/i;

/** Reads the title and the reason from a Markdown text that describes a task. */
export function readTaskText(text: string, at: number, path: string | null = null): TaskDocument | null {
  const head = text.slice(0, 20_000);
  const front = /^---\n([\s\S]*?)\n---\n?/.exec(head);
  const body = front ? head.slice(front[0].length) : head;
  const heading = /^#{1,3} +([^\s#].*)$/m.exec(body)?.[1]?.replace(/(?<![\s#])[\s#]+$/, '');
  const title =
    /^title:[ \t]*(.+)$/m
      .exec(front?.[1] ?? '')?.[1]
      ?.trim()
      .replace(/^["']|["']$/g, '') ?? heading;
  if (title === undefined) return null;
  return { id: null, path, title: cleanTitle(title), reason: findReason(body), at };
}

const cleanTitle = (title: string) =>
  truncate(
    toSingleLine(title.replace(/[*`_]{2,}|^\s*(?:plan|task|todo|issue|feature|bug)\s*[:：-]\s*/gi, '')),
    120,
  );

function findReason(body: string): string | null {
  const sections = body.split(/^#{1,4} +/m).slice(1);
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n');
    if (!REASON.test(heading.trim())) continue;
    const paragraph = firstParagraph(lines.join('\n'));
    if (paragraph !== null) return paragraph;
  }
  const bold = /^\*{0,2}(?:Problem|Context|Background|Goal|Why)\*{0,2}\s*:\*{0,2}\s*(.+)$/im.exec(body)?.[1];
  return bold === undefined ? null : truncate(toSingleLine(bold), 600);
}

function firstParagraph(text: string): string | null {
  const paragraph = text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^(?:```|[|>#]|-{3,})/.test(part));
  return paragraph === undefined ? null : truncate(toSingleLine(paragraph.replace(/\*\*/g, '')), 600);
}

const TASK_FOLDER =
  /(?:^|\/)(?:todos?|tasks?|issues?|tickets?|backlog|stories|specs?|plans?|rfcs?|prds?)(?:\/|[^/]*\.md$)/i;

/** Reads a task from an issue that a tool returned, or from a to-do or plan file that the agent read. */
export function readTaskDocument(use: ObservedToolUse, at: number, path: string | null): TaskDocument | null {
  if (use.outcome === 'failed') return null;
  if (path !== null && TASK_FOLDER.test(path) && path.endsWith('.md')) {
    const content = getText(use.response, 'content') ?? fileContent(use);
    return content === null ? null : readTaskText(content, at, path);
  }
  if (/(?:^|_)(?:get|read|view|fetch)_?(?:issue|ticket|task|work_?item|story|card)$/i.test(use.toolName)) {
    return readIssueJson(getOutput(use.response), at);
  }
  return null;
}

const fileContent = (use: ObservedToolUse) => {
  const output = getOutput(readFileField(use));
  return output === '' ? null : output;
};

function readFileField({ response }: ObservedToolUse) {
  return typeof response === 'object' && response !== null && 'file' in response
    ? ((response as { file: ObservedToolUse['response'] }).file ?? null)
    : response;
}

/** Reads only the title and the description. The names of authors and assignees are not stored. */
export function readIssueJson(text: string, at: number): TaskDocument | null {
  try {
    const issue = JSON.parse(text) as Record<string, unknown>;
    const title = issue['title'] ?? issue['summary'] ?? issue['name'];
    if (typeof title !== 'string') return null;
    const id =
      issue['identifier'] ??
      issue['key'] ??
      (typeof issue['number'] === 'number' ? `#${issue['number']}` : null);
    const description = issue['description'] ?? issue['body'];
    const reason =
      typeof description === 'string' ? (findReason(description) ?? firstParagraph(description)) : null;
    return { id: typeof id === 'string' ? id : null, path: null, title: cleanTitle(title), reason, at };
  } catch (error) {
    if (error instanceof SyntaxError) return readIssueText(text, at);
    throw error;
  }
}

/** `gh issue view` prints `title:\t…` lines and then the body. Other tools print Markdown. */
function readIssueText(text: string, at: number): TaskDocument | null {
  const title =
    /^(?:title|summary):\s*(.+)$/im.exec(text)?.[1] ?? /"title":\s*"((?:[^"\\]|\\.){3,200})"/.exec(text)?.[1];
  if (title === undefined) return readTaskText(text, at);
  const number = /^number:\s*(\d+)/m.exec(text)?.[1];
  const body = text.includes('\n--\n') ? text.slice(text.indexOf('\n--\n') + 4) : '';
  return {
    id: number === undefined ? null : `#${number}`,
    path: null,
    title: cleanTitle(title),
    reason: findReason(body) ?? firstParagraph(body),
    at,
  };
}

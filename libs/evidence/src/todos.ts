import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { fieldOf, listOf, textOf } from './json-fields.js';

export interface TodoItem {
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** The to-do list as the last tool use left it: whole lists (TodoWrite, plans) or single tasks. */
export function todosOf(uses: readonly ObservedToolUse[]): TodoItem[] {
  let items: TodoItem[] = [];
  const tasks = new Map<string, TodoItem>();
  for (const use of uses) {
    if (use.outcome === 'failed' || use.agentId !== null) continue;
    const list = listOf(use.input, 'todos', 'plan');
    // a list that cannot be read replaces the older one too
    if (
      /^(?:todowrite|update_plan|updateplan)$/i.test(use.toolName) ||
      (/todo|plan/i.test(use.toolName) && list.length > 0)
    ) {
      items = list.flatMap((item) => {
        const text = textOf(item, 'content', 'step', 'description', 'title');
        return text === null ? [] : [{ text: shorten(text), status: statusOf(textOf(item, 'status')) }];
      });
    }
    if (use.toolName === 'TaskCreate') {
      const text = textOf(use.input, 'subject', 'description');
      const id = textOf(fieldOf(use.response, 'task'), 'id') ?? String(tasks.size + 1);
      if (text !== null) tasks.set(id, { text: shorten(text), status: 'pending' });
    }
    if (use.toolName === 'TaskUpdate') {
      const id = textOf(use.input, 'taskId', 'id');
      const task = id === null ? undefined : tasks.get(id);
      const status = textOf(use.input, 'status');
      if (status === 'deleted' && id !== null) tasks.delete(id);
      else if (task && status !== null) task.status = statusOf(status);
    }
  }
  return [...items, ...tasks.values()].slice(0, 50);
}

const shorten = (text: string) => truncate(toSingleLine(text), 160);

function statusOf(status: string | null): TodoItem['status'] {
  if (status === 'completed' || status === 'done') return 'completed';
  return status === 'in_progress' || status === 'inProgress' ? 'in_progress' : 'pending';
}

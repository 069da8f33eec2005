import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { getField, getList, getText } from './json-fields.js';

export interface TodoItem {
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** Returns the to-do list after the last tool use. A host updates either the full list or single tasks. */
export function readTodos(uses: readonly ObservedToolUse[]): TodoItem[] {
  let items: TodoItem[] = [];
  const tasks = new Map<string, TodoItem>();
  for (const use of uses) {
    if (use.outcome === 'failed' || use.agentId !== null) continue;
    const list = getList(use.input, 'todos', 'plan');
    // An unreadable list also replaces the older list.
    if (
      /^(?:todowrite|update_plan|updateplan)$/i.test(use.toolName) ||
      (/todo|plan/i.test(use.toolName) && list.length > 0)
    ) {
      items = list.flatMap((item) => {
        const text = getText(item, 'content', 'step', 'description', 'title');
        return text === null ? [] : [{ text: shorten(text), status: statusOf(getText(item, 'status')) }];
      });
    }
    if (use.toolName === 'TaskCreate') {
      const text = getText(use.input, 'subject', 'description');
      const id = getText(getField(use.response, 'task'), 'id') ?? String(tasks.size + 1);
      if (text !== null) tasks.set(id, { text: shorten(text), status: 'pending' });
    }
    if (use.toolName === 'TaskUpdate') {
      const id = getText(use.input, 'taskId', 'id');
      const task = id === null ? undefined : tasks.get(id);
      const status = getText(use.input, 'status');
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

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that Codex uses as its vendor. */
export interface ToolSearchVendor extends AsyncDisposable {
  url: string;
}

interface Item {
  type?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
}

/**
 * Starts a proxy between Codex and a fake vendor that supports only plain calls. A call of `tool_search` becomes the
 * tool search of Codex. A call of `server.tool` becomes a call of a tool that the search found.
 */
export async function replyToToolSearch(vendorUrl: string): Promise<ToolSearchVendor> {
  const server = createServer((request, response) => {
    void (async () => {
      const method = request.method ?? 'GET';
      const answer = await fetch(`${vendorUrl}${request.url ?? ''}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: asPlainCalls(await bodyOf(request)) }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end((await answer.text()).split('\n').map(translated).join('\n'));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Renames tool searches, because the vendor counts only plain calls of a conversation. */
const asPlainCalls = (body: string) => body.replaceAll('"type":"tool_search_call"', '"type":"function_call"');

function translated(line: string): string {
  if (!line.startsWith('data: {')) return line;
  const event = JSON.parse(line.slice('data: '.length)) as { item?: Item; response?: { output?: Item[] } };
  if (event.item) event.item = message(event.item);
  if (event.response?.output) event.response.output = event.response.output.map(message);
  return `data: ${JSON.stringify(event)}`;
}

function message(item: Item): Item {
  if (item.type !== 'function_call') return item;
  if (item.name === 'tool_search') {
    const { call_id, arguments: text = '{}' } = item;
    const search = {
      call_id,
      status: 'completed',
      execution: 'client',
      arguments: JSON.parse(text) as object,
    };
    return { type: 'tool_search_call', ...search } as unknown as Item;
  }
  const [namespace, name] = item.name?.split('.') ?? [];
  return name === undefined ? item : ({ ...item, namespace, name } as Item);
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface ModelStep {
  /** Called before the response to the request for this step. */
  before?: () => unknown;
  text?: string;
  tools?: readonly { name: string; input: object }[];
  /** Input tokens that the response reports. The client uses them to decide about compaction. */
  inputTokens?: number;
}

/** A request to the model with tools. Side requests of the client, such as for titles, are excluded. */
interface ModelRequest {
  /** Texts of the blocks of all user messages, from the first message. */
  blocks: readonly string[];
  all: string;
  toolNames: readonly string[];
  toolResults: readonly { text: string; isError: boolean }[];
}

/** A fake vendor that answers each prompt with scripted steps, regardless of the order of the requests. */
export interface ScriptedModel extends AsyncDisposable {
  url: string;
  requests: readonly ModelRequest[];
  /** Defines the responses to a prompt. Step k answers the k-th request after a block with exactly this text. */
  script(prompt: string, steps: readonly ModelStep[]): void;
  /** Defines the responses in a conversation that was compacted during a turn. Step k answers the k-th request. */
  scriptAfterCompaction(steps: readonly ModelStep[]): void;
}

interface Block {
  type: string;
  text?: string;
  content?: string | readonly Block[];
  is_error?: boolean;
}
interface Message {
  role: string;
  content: string | readonly Block[];
}
interface Body {
  model: string;
  stream?: boolean;
  messages: readonly Message[];
  tools?: readonly { name: string }[];
}

const SUMMARY_WANTED = /Respond with TEXT ONLY|create a detailed summary of the conversation/;
const GOES_ON = 'This session is being continued from a previous conversation';

export async function createScriptedModel(): Promise<ScriptedModel> {
  const scripts = new Map<string, readonly ModelStep[]>();
  let goingOn: ModelStep[] = [];
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'POST' || !/\/v1\/messages(\?|$)/.test(request.url ?? '')) {
      response.writeHead(request.url?.includes('count_tokens') ? 200 : 404, {
        'content-type': 'application/json',
      });
      return void response.end('{"input_tokens":1}');
    }
    const body = (await json(request)) as Body;
    if (body.tools?.length) requests.push(readRequest(body));
    const step = stepFor(body);
    await step.before?.();
    sendMessage(response, body, step);
  }

  function stepFor({ messages, tools }: Body): ModelStep {
    const replies = messages.filter(({ role }) => role === 'user').at(-1);
    if (replies && textsOf(replies).some((text) => SUMMARY_WANTED.test(text)))
      return { text: '<analysis>All of it.</analysis>\n<summary>A limit was raised.</summary>' };
    if (!tools?.length) return {};
    for (const [index, message] of [...messages.entries()].reverse()) {
      const steps =
        message.role === 'user' ? textsOf(message).flatMap((text) => scripts.get(text) ?? []) : [];
      const done = messages.slice(index).filter(({ role }) => role === 'assistant').length;
      if (steps.length > 0) return steps[done] ?? {};
    }
    const isGoingOn = messages.some((message) => textsOf(message).some((text) => text.startsWith(GOES_ON)));
    return (isGoingOn && goingOn.shift()) || {};
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (prompt, steps) => void scripts.set(prompt, steps),
    scriptAfterCompaction: (steps) => void (goingOn = [...steps]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const blocksOf = ({ content }: Message): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textsOf = (message: Message) => blocksOf(message).map(({ text }) => text?.trim() ?? '');

function readRequest(body: Body): ModelRequest {
  const results = body.messages.flatMap(blocksOf).filter(({ type }) => type === 'tool_result');
  return {
    blocks: body.messages.filter(({ role }) => role !== 'assistant').flatMap(textsOf),
    all: JSON.stringify(body),
    toolNames: (body.tools ?? []).map(({ name }) => name),
    toolResults: results.map(({ content, is_error: isError }) => ({
      text: typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'),
      isError: isError === true,
    })),
  };
}

let count = 0;

function sendMessage(response: ServerResponse, { model, stream }: Body, step: ModelStep) {
  const id = String(++count).padStart(20, '0');
  const tools = (step.tools ?? []).map((tool, index) => ({
    type: 'tool_use',
    id: `toolu_${id}${index}`,
    ...tool,
  }));
  const text = step.text ?? (tools.length > 0 ? null : 'All right.');
  const content = [...(text === null ? [] : [{ type: 'text', text }]), ...tools];
  const usage = { input_tokens: step.inputTokens ?? 100, output_tokens: 10 };
  const end = { stop_reason: tools.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, usage };
  if (!stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ ...message, content, ...end }));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  for (const [index, block] of content.entries()) {
    const isText = 'text' in block;
    const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: empty });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: end, usage });
  send('message_stop', {});
  return response.end();
}

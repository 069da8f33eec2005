import { expect, it } from 'vitest';
import { splitEvents } from './split-events.js';

const encoder = new TextEncoder();

async function split(pieces: readonly string[]): Promise<string[]> {
  const chunks: string[] = [];
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  for await (const chunk of source.pipeThrough(splitEvents())) chunks.push(new TextDecoder().decode(chunk));
  return chunks;
}

it.each([
  ['one chunk', ['data: a\n\ndata: b\n\n']],
  ['pieces of one character', [...'data: a\n\ndata: b\n\n']],
])('passes on one event per chunk when the events arrive in %s', async (_, pieces) => {
  expect(await split(pieces)).toEqual(['data: a\n\n', 'data: b\n\n']);
});

it.each(['\n', '\r\n', '\r'])('finds the end of an event when lines end with %j', async (end) => {
  const events = ['a', 'b'].map((text) => `event: x${end}data: ${text}${end}${end}`);
  expect(await split([events.join('')])).toEqual(events);
});

it('removes further blank lines between events', async () => {
  expect(await split([`data: a${'\n'.repeat(100_000)}data: b\n\n`])).toEqual(['data: a\n\n', 'data: b\n\n']);
});

it('passes on the last event when its end is missing', async () => {
  expect(await split(['data: a\n\ndata: b'])).toEqual(['data: a\n\n', 'data: b']);
});

it('passes on characters that are split between two chunks', async () => {
  const bytes = encoder.encode('data: ü\n\n');
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.slice(0, 7));
      controller.enqueue(bytes.slice(7));
      controller.close();
    },
  });
  expect(await new Response(source.pipeThrough(splitEvents())).text()).toBe('data: ü\n\n');
});

it('fails when an event is longer than the limit', async () => {
  await expect(split(['data: ', 'a'.repeat(4 * 1024 * 1024)])).rejects.toThrow(SyntaxError);
  expect(await split([`data: ${'a'.repeat(3_000_000)}\n\n`.repeat(2)])).toHaveLength(2);
});

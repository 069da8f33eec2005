const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Larger than the longest reply that is read, as JSON with every character escaped. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

/**
 * Splits a stream of server-sent events into chunks of one event each, with at most one blank line between them. The
 * OpenAI SDK copies and searches the data since the last event for each chunk and each event. An event of more than 4
 * MiB ends the stream with an error.
 */
export function splitEvents(): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let lineEnds = 0;
  let previous = 0;

  const hold = (part: Uint8Array) => {
    heldBytes += part.length;
    if (heldBytes > MAX_EVENT_BYTES) throw new SyntaxError('an event that is longer than any reply');
    if (part.length > 0) held.push(part);
  };
  const release = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (heldBytes > 0) controller.enqueue(Buffer.concat(held));
    held = [];
    heldBytes = 0;
  };

  return new TransformStream({
    transform(bytes, controller) {
      const kept = new Uint8Array(bytes.length);
      let length = 0;
      let start = 0;
      for (const byte of bytes) {
        const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
        if (isLineEnd) {
          if (byte !== LINE_FEED || previous !== CARRIAGE_RETURN) lineEnds += 1;
        } else {
          if (lineEnds >= 2) {
            hold(kept.subarray(start, length));
            release(controller);
            start = length;
          }
          lineEnds = 0;
        }
        if (lineEnds <= 2) kept[length++] = byte;
        previous = byte;
      }
      hold(kept.subarray(start, length));
      if (lineEnds >= 2) release(controller);
    },
    flush: release,
  });
}

export interface NumberedLine {
  /** Starts at 1. */
  number: number;
  /** Null when the line is longer than `maxLength`. */
  text: string | null;
}

/** Yields the lines of a UTF-8 stream without line ends. Buffers at most one line. */
export async function* readLines(
  source: AsyncIterable<Uint8Array | string>,
  { maxLength }: { maxLength: number },
): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  let number = 0;
  const take = (end: string): NumberedLine => {
    const text = isTooLong || rest.length + end.length > maxLength ? null : rest + end;
    rest = '';
    isTooLong = false;
    number += 1;
    return { number, text };
  };
  for await (const chunk of source) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      yield take(text.slice(from, at));
      from = at + 1;
    }
    rest += text.slice(from);
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) yield take('');
}

/**
 * Finds the next occurrence of a text for mostly increasing positions. Each kind caches its last result. A text with
 * many names and no ends of values is therefore read once instead of once for each name.
 */
export interface TextCursor {
  endOfLine(at: number): number;
  /** Returns the position of the next unescaped quote, or -1. */
  closingQuote(quote: string, at: number): number;
  /** Returns the end of a run of characters outside the stop set. */
  endOfRun(name: StopSet, at: number): number;
}

type StopSet = 'blank' | 'word' | 'tag' | 'shell' | 'statement';

const STOPS: Readonly<Record<StopSet, RegExp>> = {
  blank: /[\s"'`]/g,
  word: /[\s"'`<>)\]},;，。；、」』）]/g,
  tag: /[<\n]/g,
  shell: /[\s"'`;&|<>)]/g,
  statement: /[\s"'`;，。；、」』）]/g,
};

export function createTextCursor(text: string): TextCursor {
  const quotes = new Map<string, { from: number; index: number }>();
  const runs = new Map<StopSet, { from: number; index: number }>();
  let line = { from: 0, index: -1 };

  return {
    endOfLine(at) {
      if (at < line.from || at > line.index) {
        const index = text.indexOf('\n', at);
        line = { from: at, index: index === -1 ? text.length : index };
      }
      return line.index;
    },
    closingQuote(quote, at) {
      const last = quotes.get(quote);
      if (last !== undefined && at >= last.from && (at <= last.index || last.index === -1)) return last.index;
      let index = text.indexOf(quote, at);
      while (index !== -1 && isEscaped(text, index, at)) index = text.indexOf(quote, index + 1);
      quotes.set(quote, { from: at, index });
      return index;
    },
    endOfRun(name, at) {
      const last = runs.get(name);
      if (last !== undefined && at >= last.from && at <= last.index) return last.index;
      const stop = STOPS[name];
      stop.lastIndex = at;
      const index = stop.exec(text)?.index ?? text.length;
      runs.set(name, { from: at, index });
      return index;
    },
  };
}

/** Inspects only a few backslashes. Longer runs come from text that was escaped many times. */
function isEscaped(text: string, index: number, from: number): boolean {
  let backslashes = 0;
  while (backslashes < 16 && index - 1 - backslashes >= from && text[index - 1 - backslashes] === '\\')
    backslashes += 1;
  return backslashes % 2 === 1;
}

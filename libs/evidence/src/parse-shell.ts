/** One program call of a command line. */
export interface SimpleCommand {
  /** Program and arguments without quotes. Leading `NAME=value` words are in `assignments`. */
  words: readonly string[];
  assignments: readonly string[];
  /** Files to which output is redirected. */
  writesTo: readonly string[];
  /** Text of a here-document, or null. */
  heredoc: string | null;
  /** Operator before the command. A line break and the end of a group count as `;`. */
  precedingOperator: '' | '|' | '&&' | '||' | ';';
  /** True when the shell does not return the exit code: in the background, after `!`, or in a condition or loop. */
  hidesExitCode: boolean;
}

interface Token {
  kind: 'word' | 'operator' | 'redirect';
  text: string;
}

const LENGTH_LIMIT = 20_000;
const COMMAND_LIMIT = 60;

/**
 * Parses the program calls and the written files of a POSIX command line. Skips functions, loops and substitutions.
 * Never throws.
 */
export function parseShell(commandLine: string): SimpleCommand[] {
  const { text, heredocs } = extractHeredocs(commandLine.slice(0, LENGTH_LIMIT));
  const commands: SimpleCommand[] = [];
  let current = emptyCommand('');
  const finish = (precedingOperator: SimpleCommand['precedingOperator']) => {
    if (current.words.length > 0 || current.writesTo.length > 0) commands.push(current);
    current = emptyCommand(precedingOperator);
  };
  const tokens = tokenize(text);
  let compoundDepth = 0;
  for (let index = 0; index < tokens.length && commands.length < COMMAND_LIMIT; index += 1) {
    const { kind, text } = tokens[index]!;
    const word = text.replace(/\$\(cat <<(\d+)\s*\)/g, (_, number: string) => heredocs[Number(number)] ?? '');
    if (kind === 'operator') {
      if (word === '&') current.hidesExitCode = true;
      if (word === '(' && current.words.length === 0) continue;
      finish(word === '|' || word === '|&' ? '|' : word === '&&' ? '&&' : word === '||' ? '||' : ';');
    } else if (kind === 'redirect') {
      const target = tokens[index + 1];
      if (word === '<<') current.heredoc = heredocs[Number(target?.text)] ?? null;
      if (target?.kind === 'word') {
        index += 1;
        if (word.includes('>') && !/^&?\d$|^-$/.test(target.text)) current.writesTo.push(target.text);
      }
    } else if (current.words.length === 0 && /^[A-Za-z_]\w*=/.test(word)) {
      current.assignments.push(word);
    } else {
      if (current.words.length === 0) {
        if (OPENING.has(word)) compoundDepth += 1;
        if (CLOSING.has(word)) compoundDepth -= 1;
        if (compoundDepth > 0 || word === '!') current.hidesExitCode = true;
      }
      if (current.words.length > 0 || !KEYWORDS.has(word)) current.words.push(word);
    }
  }
  finish(';');
  return commands;
}

const OPENING = new Set(['if', 'while', 'until', 'for', 'case']);
const CLOSING = new Set(['fi', 'done', 'esac']);
const KEYWORDS = new Set([
  '{',
  '}',
  '(',
  ')',
  '!',
  'if',
  'then',
  'else',
  'fi',
  'do',
  'done',
  'while',
  'time',
  'sudo',
  'command',
  'env',
  'nohup',
]);

interface OpenCommand {
  words: string[];
  assignments: string[];
  writesTo: string[];
  heredoc: string | null;
  precedingOperator: SimpleCommand['precedingOperator'];
  hidesExitCode: boolean;
}

const emptyCommand = (precedingOperator: SimpleCommand['precedingOperator']): OpenCommand => ({
  words: [],
  assignments: [],
  writesTo: [],
  heredoc: null,
  precedingOperator,
  hidesExitCode: false,
});

/**
 * Removes here-documents from the text so that their lines are not parsed as commands. An index replaces each
 * delimiter.
 */
function extractHeredocs(text: string): { text: string; heredocs: string[] } {
  if (!text.includes('<<')) return { text, heredocs: [] };
  const heredocs: string[] = [];
  const remainingLines: string[] = [];
  const lines = text.split('\n');
  const trimmed = lines.map((line) => line.trim());
  const lastAt = new Map(trimmed.map((line, index) => [line, index]));
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    remainingLines.push(
      line.replace(/(?<!<)<<(?!<)-?\s*(['"]?)([A-Za-z_]\w*)\1/g, (_, _quote: string, delimiter: string) => {
        if ((lastAt.get(delimiter) ?? -1) <= index) return `<<${delimiter}`;
        const end = trimmed.indexOf(delimiter, index + 1);
        heredocs.push(lines.slice(index + 1, end).join('\n'));
        index = end;
        return `<<${heredocs.length - 1}`;
      }),
    );
  }
  return { text: remainingLines.join('\n'), heredocs };
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let word: string | null = null;
  let index = 0;
  const endWord = () => {
    if (word !== null) tokens.push({ kind: 'word', text: word });
    word = null;
  };
  while (index < text.length) {
    const char = text[index]!;
    if (char === '\\' && index + 1 < text.length) {
      if (text[index + 1] !== '\n') word = (word ?? '') + text[index + 1];
      index += 2;
    } else if (char === "'" || char === '"') {
      const quoted = readQuoted(text, index);
      word = (word ?? '') + quoted.text;
      index = quoted.end;
    } else if (char === '$' && text[index + 1] === '(') {
      const end = closingParenthesis(text, index + 1);
      word = (word ?? '') + text.slice(index, end);
      index = end;
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', index);
      index = end === -1 ? text.length : end;
    } else {
      const operator = /^(?:&&|\|\||\|&|;;|[|;\n()]|&(?!>))/.exec(text.slice(index, index + 2))?.[0];
      const redirect = /^(?:&>>?|\d?>>|\d?>\||\d?>&?|<<<|<<|<)/.exec(text.slice(index, index + 4))?.[0];
      const isFileNumber = redirect !== undefined && /^\d/.test(redirect) && word !== null;
      if (redirect && !isFileNumber) {
        endWord();
        tokens.push({ kind: 'redirect', text: redirect });
        index += redirect.length;
      } else if (operator) {
        endWord();
        tokens.push({ kind: 'operator', text: operator });
        index += operator.length;
      } else if (/\s/.test(char)) {
        endWord();
        index += 1;
      } else {
        word = (word ?? '') + char;
        index += 1;
      }
    }
  }
  endWord();
  return tokens;
}

function readQuoted(text: string, start: number): { text: string; end: number } {
  const quote = text[start]!;
  let value = '';
  let index = start + 1;
  while (index < text.length && text[index] !== quote) {
    if (quote === '"' && text[index] === '\\' && /["\\$`\n]/.test(text[index + 1] ?? '')) {
      value += text[index + 1];
      index += 2;
    } else if (quote === '"' && text[index] === '$' && text[index + 1] === '(') {
      const end = closingParenthesis(text, index + 1);
      value += text.slice(index, end);
      index = end;
    } else {
      value += text[index];
      index += 1;
    }
  }
  return { text: value, end: index + 1 };
}

function closingParenthesis(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

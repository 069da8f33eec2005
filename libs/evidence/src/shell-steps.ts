import type { FileStep } from './file-step.js';
import { readPatch } from './patch-steps.js';
import type { SimpleCommand } from './parse-shell.js';
import { isScratchPath, type PathReader } from './project-paths.js';

/** Reads the file changes that are visible in a successful command line. Changes made inside programs are unknown. */
export function readShellSteps(
  commands: readonly SimpleCommand[],
  readPath: PathReader,
  cwd: string | null,
  output: string,
): FileStep[] {
  const steps: FileStep[] = [];
  let folder = cwd;
  for (const command of commands) {
    const path = (word: string) => (/[*?$`{}]/.test(word) ? null : readPath(word, folder));
    const [program, ...args] = stripWrappers(command.words);
    if (program === 'cd') folder = changeFolder(folder, args[0]);
    for (const target of command.writesTo) {
      steps.push(...writtenSteps(path(target), command.heredoc ?? echoedText(command)));
    }
    if (program === undefined) continue;
    const name = program.split('/').at(-1)!;
    steps.push(...(PROGRAMS[name]?.({ args, path, command, output }) ?? []));
  }
  return steps;
}

/** Returns the folder after `cd`, or null when the folder cannot be determined. */
export function changeFolder(folder: string | null, target: string | undefined): string | null {
  if (target === undefined || /[$`*]/.test(target) || target === '-') return null;
  if (target.startsWith('/') || target.startsWith('~') || folder === null) return target;
  return `${folder}/${target}`;
}

interface Call {
  args: readonly string[];
  path: (word: string) => string | null;
  command: SimpleCommand;
  output: string;
}

const PROGRAMS: Record<string, (call: Call) => FileStep[]> = {
  sed: ({ args, path }) =>
    args.some((arg) => /^-[a-zA-Z]*i/.test(arg) || arg.startsWith('--in-place'))
      ? readInPlaceEdit(args, path)
      : [],
  perl: ({ args, path }) =>
    args.some((arg) => /^-[a-zA-Z0]*i/.test(arg)) ? readInPlaceEdit(args, path) : [],
  tee: ({ args, path, command }) =>
    operands(args).flatMap((word) => writtenSteps(path(word), command.heredoc)),
  touch: ({ args, path }) => operands(args).flatMap((word) => writtenSteps(path(word), null)),
  rm: removal,
  unlink: removal,
  rmdir: () => [],
  mv: moves,
  cp: ({ args, path }) => {
    const words = operands(args);
    const target = words.at(-1);
    if (words.length !== 2 || target === undefined || target.endsWith('/')) return [];
    return writtenSteps(path(target), null);
  },
  git: gitSteps,
  apply_patch: ({ args, path, command }) => readPatch(command.heredoc ?? args.join(' '), path),
  prettier: ({ args, path, output }) =>
    args.includes('--write') || args.includes('-w') ? readFormatterSteps(args, path, output) : [],
  gofmt: ({ args, path, output }) => (args.includes('-w') ? readFormatterSteps(args, path, output) : []),
  goimports: ({ args, path, output }) => (args.includes('-w') ? readFormatterSteps(args, path, output) : []),
  eslint: ({ args, path, output }) => (args.includes('--fix') ? readFormatterSteps(args, path, output) : []),
  black: ({ args, path, output }) => (args.includes('--check') ? [] : readFormatterSteps(args, path, output)),
  rustfmt: ({ args, path, output }) =>
    args.includes('--check') ? [] : readFormatterSteps(args, path, output),
  python: scriptSteps,
  python3: scriptSteps,
  node: scriptSteps,
};

const WRAPPERS = new Set([
  'npx',
  'bunx',
  'pnpm',
  'yarn',
  'bun',
  'exec',
  'dlx',
  'rtk',
  'sudo',
  'time',
  'xargs',
]);

/** Returns `prettier …` for `npx prettier …`. Other calls are returned unchanged. */
function stripWrappers(words: readonly string[]): readonly string[] {
  let start = 0;
  while (
    start < words.length - 1 &&
    (WRAPPERS.has(words[start]!) || (start > 0 && words[start]!.startsWith('-')))
  ) {
    start += 1;
  }
  const rest = words.slice(start);
  return rest[0] !== undefined && Object.hasOwn(PROGRAMS, rest[0].split('/').at(-1)!) ? rest : words;
}

const operands = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'));

function removal({ args, path, command }: Call): FileStep[] {
  // `rm -f x 2>/dev/null` only ensures that the file does not exist.
  if (args.includes('-f') && command.writesTo.includes('/dev/null')) return [];
  return operands(args).flatMap((word) => {
    const removed = path(word);
    return removed === null ? [] : [{ kind: 'delete' as const, path: removed }];
  });
}

function moves({ args, path }: Call): FileStep[] {
  const words = operands(args);
  const target = words.pop();
  if (target === undefined || words.length === 0) return [];
  const isFolder =
    words.length > 1 || target.endsWith('/') || (!/\.\w+$/.test(target) && /\.\w+$/.test(words[0]!));
  return words.flatMap((word): FileStep[] => {
    const from = path(word);
    const to = path(isFolder ? `${target.replace(/\/$/, '')}/${word.split('/').at(-1)}` : target);
    if (from !== null && to !== null) return [{ kind: 'move', from, path: to }];
    if (from !== null && isScratchPath(target)) return [{ kind: 'delete', path: from }];
    return to === null
      ? []
      : [{ kind: 'edit', path: to, removed: [], added: [], isNew: null, declarations: [] }];
  });
}

function gitSteps(call: Call): FileStep[] {
  const [verb, ...args] = call.args;
  const rest = { ...call, args };
  const paths = args.slice(args.indexOf('--') + 1);
  switch (verb) {
    case 'mv':
      return moves(rest);
    case 'rm':
      return args.includes('--cached') ? [] : removal(rest);
    case 'stash': {
      const action = operands(args)[0] ?? 'push';
      if (action === 'pop' || action === 'apply') return [{ kind: 'unstash' }];
      return action === 'push' || action === 'save' ? [{ kind: 'stash' }] : [];
    }
    case 'restore':
      return args.includes('--staged') || args.includes('-S') ? [] : restored(operands(args), call.path);
    case 'checkout':
      return args.includes('--')
        ? restored(paths, call.path)
        : args[0] === '.'
          ? [{ kind: 'restore', path: null }]
          : [];
    case 'reset':
      return args.includes('--hard') ? [{ kind: 'restore', path: null }] : [];
    default:
      return [];
  }
}

function restored(words: readonly string[], path: Call['path']): FileStep[] {
  if (words.includes('.')) return [{ kind: 'restore', path: null }];
  return words.flatMap((word) => {
    const found = path(word);
    return found === null ? [] : [{ kind: 'restore' as const, path: found }];
  });
}

/** For `sed -i 's/a/b/' file`, `a` is a removed line and `b` an added line. */
function readInPlaceEdit(args: readonly string[], path: Call['path']): FileStep[] {
  const removed: string[] = [];
  const added: string[] = [];
  const files: string[] = [];
  let hasScript = args.some((arg) => /^-[a-zA-Z]*e$|^--expression/.test(arg));
  let isScript = false;
  for (const arg of args) {
    if (/^-[a-zA-Z]*e$/.test(arg)) isScript = true;
    else if (arg.startsWith('-') || arg === '') continue;
    else if (isScript || !hasScript) {
      for (const part of substitutions(arg)) {
        removed.push(part.from);
        added.push(part.to);
      }
      isScript = false;
      hasScript = true;
    } else files.push(arg);
  }
  return files.flatMap((file) => {
    const found = path(file);
    return found === null
      ? []
      : [{ kind: 'edit' as const, path: found, removed, added, isNew: false, declarations: [] }];
  });
}

function substitutions(script: string): { from: string; to: string }[] {
  const found: { from: string; to: string }[] = [];
  for (const match of script
    .slice(0, 4_000)
    .matchAll(/(?:^|[;\s\d,$}])s([/|#@!,])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1/g)) {
    found.push({ from: plain(match[2]!), to: plain(match[3]!) });
  }
  return found;
}

const plain = (pattern: string) =>
  pattern
    .replace(/\\([^\w])/g, '$1')
    .replace(/\\[tns]/g, ' ')
    .replace(/^\^|\$$/g, '');

function writtenSteps(path: string | null, text: string | null): FileStep[] {
  if (path === null) return [];
  const added = (text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 4_000);
  return [{ kind: 'edit', path, removed: [], added, isNew: null, declarations: [] }];
}

function echoedText({ words }: SimpleCommand): string | null {
  return words[0] === 'echo' || words[0] === 'printf' ? words.slice(1).join(' ') : null;
}

/** A formatter reports unmodified files as unchanged. Folders and patterns do not show which files changed. */
function readFormatterSteps(args: readonly string[], path: Call['path'], output: string): FileStep[] {
  const unchanged = output.split('\n').filter((line) => line.includes('unchanged'));
  return operands(args).flatMap((word) => {
    const found = /\.\w{1,8}$/.test(word) ? path(word) : null;
    if (found === null || unchanged.some((line) => line.includes(word))) return [];
    return [{ kind: 'edit' as const, path: found, removed: [], added: [], isNew: false, declarations: [] }];
  });
}

/** Reads the named files that a script on the command line opens for writing. */
function scriptSteps({ args, path, command }: Call): FileStep[] {
  const script = command.heredoc ?? args.join('\n');
  const found = new Set<string>();
  for (const pattern of [
    /open\(\s*['"]([^'"\n]+)['"]\s*,\s*['"][wa]/g,
    /Path\(\s*['"]([^'"\n]+)['"]\s*\)\.write_/g,
    /writeFile(?:Sync)?\(\s*['"`]([^'"`\n]+)['"`]/g,
  ]) {
    for (const [, file] of script.slice(0, 10_000).matchAll(pattern)) found.add(file!);
  }
  return [...found].flatMap((file) => writtenSteps(path(file), null));
}

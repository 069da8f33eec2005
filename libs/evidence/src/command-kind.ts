import type { SimpleCommand } from './parse-shell.js';

/**
 * The kind of evidence that a command provides. `inspect` covers commands that only read files or manage files and
 * branches.
 */
export type CommandKind = 'test' | 'lint' | 'typecheck' | 'build' | 'format' | 'commit' | 'inspect' | 'run';

/** Kinds of commands whose outcome shows whether the work is correct. */
export const CHECKS: ReadonlySet<CommandKind> = new Set(['test', 'lint', 'typecheck', 'build']);

const INSPECTION_PROGRAMS = new Set(
  'ls cat head tail grep egrep rg ag fd find tree wc pwd echo printf which type file stat du df cd sort uniq cut awk tr jq less more env export set sleep date whoami ps basename dirname diff cmp od xxd hexdump md5sum sha256sum readlink realpath mkdir rm mv cp touch chmod ln kill pkill source true false test [ history man column xargs tee'.split(
    ' ',
  ),
);
const GIT_INSPECTION_VERBS = new Set(
  'status log diff show branch checkout switch stash fetch pull add remote rev-parse blame config ls-files reflog restore reset merge rebase cherry-pick tag worktree check-ignore describe shortlog push clone init'.split(
    ' ',
  ),
);

const BY_PROGRAM: readonly (readonly [RegExp, CommandKind])[] = [
  [
    /^(?:vitest|jest|pytest|mocha|ava|tap|rspec|phpunit|ctest|nextest|playwright|cypress|karma|tox|nox|bats)$/,
    'test',
  ],
  [/^(?:tsc|mypy|pyright|flow|vue-tsc|sorbet)$/, 'typecheck'],
  [
    /^(?:eslint|golangci-lint|ruff|flake8|pylint|clippy|biome|stylelint|rubocop|shellcheck|hadolint|oxlint|actionlint|yamllint|markdownlint|staticcheck|vet|ktlint|swiftlint|detekt|checkstyle)$/,
    'lint',
  ],
  [/^(?:prettier|gofmt|goimports|black|rustfmt|isort|clang-format|dprint)$/, 'format'],
];
const BY_SCRIPT: readonly (readonly [RegExp, CommandKind])[] = [
  [/(?:^|[:\-_.])(?:type-?check|types?|tsc|check-types)(?:$|[:\-_.])/i, 'typecheck'],
  [/(?:^|[:\-_.])(?:lint|clippy|vet|check|verify|audit)(?:$|[:\-_.])/i, 'lint'],
  [/(?:^|[:\-_.])(?:test|tests|spec|e2e|unit|integration|coverage|bench)(?:$|[:\-_.\d])/i, 'test'],
  [/(?:^|[:\-_.])(?:build|compile|bundle|package|assemble)(?:$|[:\-_.])/i, 'build'],
  [/(?:^|[:\-_.])(?:fmt|format|prettier)(?:$|[:\-_.])/i, 'format'],
];
const RUNNERS = new Set(
  'npm pnpm yarn bun npx bunx make just mise task cargo go gradle ./gradlew gradlew mvn ./mvnw dotnet nx turbo poetry uv uvx pipenv rake bundle composer deno mix sbt bazel rush lerna docker docker-compose hatch pdm pip python python3 node ruby swift xcodebuild cmake ninja rtk nix'.split(
    ' ',
  ),
);

/** Options with which a program only prints information about itself or its plan. */
const INFORMATION_OPTIONS =
  /^--(?:version|help|dry-run|just-print|recon|collect-only|co|no-run|list|list-?tests|show-?config|print-config|init)$|^-h$/i;
/** Verbs of package managers and containers that run no script. */
const VERBS_WITHOUT_SCRIPT = new Set(
  'install i ci add remove rm uninstall update upgrade view info show outdated list ls why search init create new publish pack link config get mod fetch metadata pull push login open'.split(
    ' ',
  ),
);

/** Returns the verb of a git call, also through a wrapper. Returns null for other programs. */
export function findGitVerb(words: readonly string[]): string | null {
  const isGit = (word: string | undefined) => word?.split('/').at(-1) === 'git' || word === 'rtk';
  if (!isGit(words[0])) return null;
  const start = isGit(words[1]) ? 2 : 1;
  const rest = words.slice(start);
  return rest.find((arg, index) => !arg.startsWith('-') && !/^-[Cc]$/.test(rest[index - 1] ?? '')) ?? null;
}

/** For `npm run NAME`, the words after NAME are arguments of the script. */
const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

export function getCommandKind({ words }: Pick<SimpleCommand, 'words'>): CommandKind {
  const [program = '', ...args] = words;
  const name = program.split('/').at(-1)!;
  if (name === 'git' || name === 'rtk') {
    const verb = findGitVerb(words) ?? '';
    if (verb === 'commit') return 'commit';
    if (name === 'git' || GIT_INSPECTION_VERBS.has(verb)) return 'inspect';
  }
  if (INSPECTION_PROGRAMS.has(name)) return 'inspect';
  if (name === 'sed' || name === 'perl') return 'inspect';
  if (args.some((arg) => INFORMATION_OPTIONS.test(arg)) || (name === 'make' && args.includes('-n')))
    return 'run';
  const direct = BY_PROGRAM.find(([pattern]) => pattern.test(name))?.[1];
  if (direct && VERBS_WITHOUT_SCRIPT.has(args[0] ?? '')) return 'run';
  if (direct) return direct === 'lint' && args[0] === 'format' ? 'format' : direct;
  if (!RUNNERS.has(program) && !RUNNERS.has(name)) return 'run';
  if (name.startsWith('docker') && !args.some((arg) => arg === 'run' || arg === 'exec')) return 'run';
  for (const [index, word] of args.slice(0, 6).entries()) {
    if (VERBS_WITHOUT_SCRIPT.has(word)) return 'run';
    if (word.startsWith('-') && !/^--(?:test|check)$/.test(word)) continue;
    const inner = BY_PROGRAM.find(([pattern]) => pattern.test(word.split('/').at(-1)!))?.[1];
    if (inner) return VERBS_WITHOUT_SCRIPT.has(args[index + 1] ?? '') ? 'run' : inner;
    if (word.includes('/') || word.includes('.')) continue;
    const script = BY_SCRIPT.find(([pattern]) => pattern.test(word))?.[1];
    if (script) return script;
    if (SCRIPT_RUNNERS.has(name) && /^run(?:-script)?$/.test(args[index - 1] ?? '')) return 'run';
  }
  return 'run';
}

/** Returns the program and the script of a check without options and targets. */
export function commandName({ words }: Pick<SimpleCommand, 'words'>): string {
  const named = words.filter(
    (word) => !word.startsWith('-') && !/[/\\.*=\d]/.test(word.replace(/^\.\//, '')),
  );
  return (named.length > 0 ? named.slice(0, 3) : words.slice(0, 1)).join(' ');
}

const SELECTORS =
  /^(?:-t|-k|-g|-run|--run|--grep|--filter|--tests?|--test-?name-?pattern|--project|-p|-w)(?:=|$)/i;
/** Options that select another variant of a check. They do not limit how much is checked. */
const VARIANTS = /^--?(?:tags?|config|features|env|profile)(?:=|$)/;
const SUBCOMMANDS = /^(?:run|check|test|watch|lint|related|exec|ci)$/;

const isValueOf = (options: RegExp, words: readonly string[], index: number) =>
  options.test(words[index - 1] ?? '') && !words[index - 1]!.includes('=');

/** Returns the index of the word that names the check, or -1. */
const checkIndex = (words: readonly string[]) =>
  words.findIndex((word) =>
    [...BY_PROGRAM, ...BY_SCRIPT].some(([pattern]) => pattern.test(word.split('/').at(-1)!)),
  );

/**
 * Returns the words that identify a check, such as `npm run lint`, `npx vitest` or `go test -tags=web`. Targets and
 * other options are ignored.
 */
export function getProgram(command: Pick<SimpleCommand, 'words'>): string {
  const { words } = command;
  const check = checkIndex(words);
  const isPart = (word: string, index: number) =>
    VARIANTS.test(word) ||
    isValueOf(VARIANTS, words, index) ||
    (index <= check && !word.startsWith('-') && !isValueOf(SELECTORS, words, index));
  return check === -1 ? commandName(command) : words.filter(isPart).join(' ');
}

/**
 * Returns the files, folders, names and filters that limit a check. A word after an option can be the value of the
 * option.
 */
export function getTargets({ words }: Pick<SimpleCommand, 'words'>): string[] {
  const check = checkIndex(words);
  return words.flatMap((word, index) => {
    const [before = '', next = '-'] = [words[index - 1], words[index + 1]];
    if (index === 0 || [SELECTORS, VARIANTS].some((options) => isValueOf(options, words, index))) return [];
    if (SELECTORS.test(word))
      return word.includes('=') ? [word] : next.startsWith('-') ? [] : [`${word} ${next}`];
    if (word.startsWith('-') || /^\.\/?(?:\.\.\.)?$/.test(word)) return [];
    const isName =
      check !== -1 &&
      index > check &&
      /^\w/.test(word) &&
      !SUBCOMMANDS.test(word) &&
      (!before.startsWith('-') || before === '--');
    return isName || /[/\\*]|\.[A-Za-z]|::/.test(word) ? [word] : [];
  });
}

const FOLDER_OPTIONS = /^(?:-C|--prefix|--cwd|--dir|--directory|--project-dir)$/;

/** Returns the folder that an option of the call names, as in `make -C web`. */
export function findFolderOption({ words }: Pick<SimpleCommand, 'words'>): string | null {
  const at = words.findIndex((word) => FOLDER_OPTIONS.test(word));
  if (at !== -1) return words[at + 1] ?? null;
  const joined = words.find((word) => /^--(?:prefix|cwd|dir|directory)=./.test(word));
  return joined === undefined ? null : joined.slice(joined.indexOf('=') + 1);
}

import type { SimpleCommand } from './parse-shell.js';

/** What a command is good for as evidence. */
export type CommandKind = 'test' | 'lint' | 'typecheck' | 'build' | 'format' | 'commit' | 'look' | 'run';

/** Kinds whose outcome says whether the work is right. */
export const CHECKS: ReadonlySet<CommandKind> = new Set(['test', 'lint', 'typecheck', 'build']);

const LOOKS = new Set(
  'ls cat head tail grep egrep rg ag fd find tree wc pwd echo printf which type file stat du df cd sort uniq cut awk tr jq less more env export set sleep date whoami ps basename dirname diff cmp od xxd hexdump md5sum sha256sum readlink realpath mkdir rm mv cp touch chmod ln kill pkill source true false test [ history man column xargs tee'.split(
    ' ',
  ),
);
const GIT_LOOKS = new Set(
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

/** Options with which a program only prints about itself or its plan, and checks nothing. */
const CHECKS_NOTHING =
  /^--(?:version|help|dry-run|just-print|recon|collect-only|co|no-run|list|list-?tests|show-?config|print-config|init)$|^-h$/i;
/** Verbs of package managers and containers that run no script. */
const RUNS_NOTHING = new Set(
  'install i ci add remove rm uninstall update upgrade view info show outdated list ls why search init create new publish pack link config get mod fetch metadata pull push login open'.split(
    ' ',
  ),
);

/** The verb of a call of git, possibly through a wrapper; null for other programs. */
export function gitVerb(words: readonly string[]): string | null {
  const isGit = (word: string | undefined) => word?.split('/').at(-1) === 'git' || word === 'rtk';
  if (!isGit(words[0])) return null;
  const start = isGit(words[1]) ? 2 : 1;
  const rest = words.slice(start);
  return rest.find((arg, index) => !arg.startsWith('-') && !/^-[Cc]$/.test(rest[index - 1] ?? '')) ?? null;
}

/** `npm run NAME` runs the script NAME: what follows are its arguments. */
const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** The kind of one program call. */
export function kindOf({ words }: Pick<SimpleCommand, 'words'>): CommandKind {
  const [program = '', ...args] = words;
  const name = program.split('/').at(-1)!;
  if (name === 'git' || name === 'rtk') {
    const verb = gitVerb(words) ?? '';
    if (verb === 'commit') return 'commit';
    if (name === 'git' || GIT_LOOKS.has(verb)) return 'look';
  }
  if (LOOKS.has(name)) return 'look';
  if (name === 'sed' || name === 'perl') return 'look';
  if (args.some((arg) => CHECKS_NOTHING.test(arg)) || (name === 'make' && args.includes('-n'))) return 'run';
  const direct = BY_PROGRAM.find(([pattern]) => pattern.test(name))?.[1];
  if (direct && RUNS_NOTHING.has(args[0] ?? '')) return 'run';
  if (direct) return direct === 'lint' && args[0] === 'format' ? 'format' : direct;
  if (!RUNNERS.has(program) && !RUNNERS.has(name)) return 'run';
  if (name.startsWith('docker') && !args.some((arg) => arg === 'run' || arg === 'exec')) return 'run';
  for (const [index, word] of args.slice(0, 6).entries()) {
    if (RUNS_NOTHING.has(word)) return 'run';
    if (word.startsWith('-') && !/^--(?:test|check)$/.test(word)) continue;
    const inner = BY_PROGRAM.find(([pattern]) => pattern.test(word.split('/').at(-1)!))?.[1];
    if (inner) return RUNS_NOTHING.has(args[index + 1] ?? '') ? 'run' : inner;
    if (word.includes('/') || word.includes('.')) continue;
    const script = BY_SCRIPT.find(([pattern]) => pattern.test(word))?.[1];
    if (script) return script;
    if (SCRIPT_RUNNERS.has(name) && /^run(?:-script)?$/.test(args[index - 1] ?? '')) return 'run';
  }
  return 'run';
}

/** A check as it may be named: its program and script, without options and targets. */
export function commandName({ words }: Pick<SimpleCommand, 'words'>): string {
  const named = words.filter(
    (word) => !word.startsWith('-') && !/[/\\.*=\d]/.test(word.replace(/^\.\//, '')),
  );
  return (named.length > 0 ? named.slice(0, 3) : words.slice(0, 1)).join(' ');
}

const SELECTORS =
  /^(?:-t|-k|-g|-run|--run|--grep|--filter|--tests?|--test-?name-?pattern|--project|-p|-w)(?:=|$)/i;
/** Options that change what a check is, not how much it checks. */
const VARIANTS = /^--?(?:tags?|config|features|env|profile)(?:=|$)/;
const SUBCOMMANDS = /^(?:run|check|test|watch|lint|related|exec|ci)$/;

const isValueOf = (options: RegExp, words: readonly string[], index: number) =>
  options.test(words[index - 1] ?? '') && !words[index - 1]!.includes('=');

/** Index of the word that names the check; -1 for none. */
const checkIndex = (words: readonly string[]) =>
  words.findIndex((word) =>
    [...BY_PROGRAM, ...BY_SCRIPT].some(([pattern]) => pattern.test(word.split('/').at(-1)!)),
  );

/** The words that make a check: `npm run lint`, `npx vitest`, `go test -tags=web`. Targets and other options are ignored. */
export function programOf(command: Pick<SimpleCommand, 'words'>): string {
  const { words } = command;
  const check = checkIndex(words);
  const isPart = (word: string, index: number) =>
    VARIANTS.test(word) ||
    isValueOf(VARIANTS, words, index) ||
    (index <= check && !word.startsWith('-') && !isValueOf(SELECTORS, words, index));
  return check === -1 ? commandName(command) : words.filter(isPart).join(' ');
}

/** Files, folders, names and filters that limit what a check checks. A word after an option may be the value of the option. */
export function targetsOf({ words }: Pick<SimpleCommand, 'words'>): string[] {
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

/** The folder that an option of the call names, as in `make -C web`. */
export function folderOption({ words }: Pick<SimpleCommand, 'words'>): string | null {
  const at = words.findIndex((word) => FOLDER_OPTIONS.test(word));
  if (at !== -1) return words[at + 1] ?? null;
  const joined = words.find((word) => /^--(?:prefix|cwd|dir|directory)=./.test(word));
  return joined === undefined ? null : joined.slice(joined.indexOf('=') + 1);
}

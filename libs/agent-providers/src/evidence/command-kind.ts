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

/** The kind of one program call. */
export function kindOf({ words }: SimpleCommand): CommandKind {
  const [program = '', ...args] = words;
  const name = program.split('/').at(-1)!;
  if (name === 'git' || name === 'rtk') {
    const verb = args.find((arg) => !arg.startsWith('-') && arg !== 'git') ?? '';
    if (verb === 'commit') return 'commit';
    if (name === 'git' || GIT_LOOKS.has(verb)) return 'look';
  }
  if (LOOKS.has(name)) return 'look';
  if (name === 'sed' || name === 'perl') return 'look';
  const direct = BY_PROGRAM.find(([pattern]) => pattern.test(name))?.[1];
  if (direct) return direct === 'lint' && args[0] === 'format' ? 'format' : direct;
  if (!RUNNERS.has(program) && !RUNNERS.has(name)) return 'run';
  for (const word of args.slice(0, 6)) {
    if (word.startsWith('-') && !/^--(?:test|check)$/.test(word)) continue;
    const inner = BY_PROGRAM.find(([pattern]) => pattern.test(word.split('/').at(-1)!))?.[1];
    if (inner) return inner;
    if (word.includes('/') || word.includes('.')) continue;
    const script = BY_SCRIPT.find(([pattern]) => pattern.test(word))?.[1];
    if (script) return script;
  }
  return 'run';
}

/** Two calls with the same key check the same thing, whatever their flags, files and pipes. */
export function commandKey(command: SimpleCommand): string {
  const words = command.words.filter(
    (word) => !word.startsWith('-') && !/[/\\.*=\d]/.test(word.replace(/^\.\//, '')),
  );
  const [program = ''] = command.words;
  return `${kindOf(command)}:${(words.length > 0 ? words.slice(0, 3) : [program]).join(' ')}`;
}

/** A name that a line of source declares, or an external name that the line reads. */
export interface Declaration {
  kind:
    | 'function'
    | 'type'
    | 'constant'
    | 'test'
    | 'env'
    | 'flag'
    | 'setting'
    | 'heading'
    | 'table'
    | 'import'
    | 'program';
  name: string;
}

type Rule = readonly [Declaration['kind'], RegExp];

const FUNCTIONS: Rule = [
  'function',
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)/,
];
const CONSTANT: Rule = [
  'constant',
  /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*[:=]/,
];
const ARROW: Rule = [
  'function',
  /^(?:export\s+)?(?:const|let)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\([^)]*\)?[^=]*=>|[\w$]+\s*=>|function\b|\()/,
];
const TYPES: Rule = [
  'type',
  /^\s*(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|internal\s+|protected\s+)?(?:static\s+|final\s+|sealed\s+|abstract\s+|data\s+|open\s+|partial\s+)*(?:class|interface|enum|struct|trait|protocol|record)\s+([A-Za-z_]\w*)/,
];
const ALIAS: Rule = ['type', /^(?:export\s+)?type\s+([A-Za-z_]\w*)/];
const CALL_TEST: Rule = [
  'test',
  /^\s*(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(?<name>.{3,120}?)\1/,
];

const SCRIPT: readonly Rule[] = [CALL_TEST, FUNCTIONS, ARROW, TYPES, ALIAS, CONSTANT];
const C_LIKE: readonly Rule[] = [
  TYPES,
  ['function', /^[A-Za-z_][\w\s*&:<>,]*?\b([A-Za-z_]\w*)\s*\([^;]*$/],
  ['constant', /^#define\s+([A-Z_][A-Z0-9_]*)/],
];
const JVM: readonly Rule[] = [
  TYPES,
  [
    'function',
    /^\s*(?:(?:public|private|protected|internal|static|final|override|suspend|async|virtual|abstract|open|inline)\s+)*(?:fun\s+(?:<[^>]+>\s*)?(?:\w+\.)?|[\w<>[\],.?]+\s+)([a-zA-Z_]\w*)\s*\([^;]*$/,
  ],
];

const RULES: Record<string, readonly Rule[]> = {
  go: [
    ['test', /^func\s+(Test\w+|Benchmark\w+|Fuzz\w+)\s*\(/],
    ['function', /^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)\s*[([]/],
    ['type', /^(?:type\s+|\t)([A-Za-z_]\w*)\s+(?:struct|interface)\b/],
    ['type', /^type\s+([A-Za-z_]\w*)/],
    ['constant', /^(?:const|var)\s+([A-Za-z_]\w*)/],
  ],
  ts: SCRIPT,
  tsx: SCRIPT,
  js: SCRIPT,
  jsx: SCRIPT,
  mjs: SCRIPT,
  cjs: SCRIPT,
  mts: SCRIPT,
  cts: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  py: [
    ['test', /^\s*(?:async\s+)?def\s+(test_\w+)/],
    ['function', /^\s*(?:async\s+)?def\s+([A-Za-z_]\w*)/],
    ['type', /^\s*class\s+([A-Za-z_]\w*)/],
    ['constant', /^([A-Z][A-Z0-9_]{2,})\s*(?::[^=]+)?=/],
  ],
  rs: [
    ['function', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|const\s+|unsafe\s+)*fn\s+([a-z_]\w*)/],
    ['type', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|type|mod|union)\s+([A-Za-z_]\w*)/],
    ['constant', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+([A-Z_][A-Z0-9_]*)/],
  ],
  java: JVM,
  kt: JVM,
  kts: JVM,
  cs: JVM,
  scala: JVM,
  dart: JVM,
  swift: [
    TYPES,
    [
      'function',
      /^\s*(?:(?:public|private|internal|open|static|override|final|mutating|@\w+)\s+)*func\s+([A-Za-z_]\w*)/,
    ],
  ],
  php: [
    TYPES,
    ['function', /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?([A-Za-z_]\w*)/],
  ],
  rb: [
    ['function', /^\s*def\s+((?:self\.)?[A-Za-z_]\w*[?!]?)/],
    ['type', /^\s*(?:class|module)\s+([A-Z]\w*)/],
    ['constant', /^\s*([A-Z][A-Z0-9_]{2,})\s*=/],
  ],
  ex: [
    ['function', /^\s*defp?\s+([a-z_]\w*[?!]?)/],
    ['type', /^\s*defmodule\s+([\w.]+)/],
  ],
  c: C_LIKE,
  h: C_LIKE,
  cc: C_LIKE,
  cpp: C_LIKE,
  hpp: C_LIKE,
  sh: [['function', /^\s*(?:function\s+)?([A-Za-z_]\w*)\s*\(\)\s*\{/]],
  sql: [
    [
      'table',
      /\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|VIEW|INDEX)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?["'`]?([\w.]+)/i,
    ],
  ],
  md: [['heading', /^#{2,4}\s+(.{2,80}?)\s*#*$/]],
};
Object.assign(RULES, {
  exs: RULES['ex'],
  bash: RULES['sh'],
  zsh: RULES['sh'],
  mdx: RULES['md'],
  mdc: RULES['md'],
});

/** Words that look like a function name in languages without a function keyword. */
const STATEMENT_KEYWORDS = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'else',
  'new',
  'throw',
  'await',
  'function',
  'do',
  'try',
  'using',
  'lock',
  'when',
  'super',
  'this',
  'constructor',
]);

/**
 * Reads the declaration in one line of a file. The file extension selects the language. Returns null when the line
 * declares nothing.
 */
export function readDeclaration(line: string, path: string): Declaration | null {
  if (line.length > 400 || (!/\.(?:mdx?|mdc)$/.test(path) && /^\s*(?:\/\/|\*|#(?!define)|--)/.test(line)))
    return null;
  for (const [kind, pattern] of RULES[extensionOf(path)] ?? []) {
    const match = pattern.exec(line);
    const name = match?.groups?.['name'] ?? match?.[1];
    if (name !== undefined && name.length > 1 && !STATEMENT_KEYWORDS.has(name)) return { kind, name };
  }
  return null;
}

const ENV_READS = [
  /process\.env\.([A-Z][A-Z0-9_]{2,})/g,
  /(?:os\.(?:Getenv|LookupEnv|getenv)|System\.getenv|getenv|env::var(?:_os)?|environ\.get|env)\(\s*["']([A-Z][A-Z0-9_]{2,})["']/g,
  /(?:environ|ENV|process\.env)\[\s*["']([A-Z][A-Z0-9_]{2,})["']\s*\]/g,
  /(?:import\.meta\.env|Bun\.env|Deno\.env)\.([A-Z][A-Z0-9_]{2,})/g,
];
const FLAG = /["'`](--[a-z][a-z0-9-]{2,30})(?=["'`= ])/g;
/** A line that passes a flag to another program does not define a flag. */
const PROGRAM_CALL =
  /\b(?:exec|execFile|execFileSync|execSync|spawn|spawnSync|Command|CommandContext|run|check_output|check_call|Popen|system|shell)\w*\(|Command::new/;
const IMPORTS: Record<string, RegExp> = {
  go: /^\s+(?:\w+\s+)?"([\w.-]+\/[\w./-]+)"$/,
  ts: /^\s*(?:import|export)\b.*\bfrom\s+['"]([^.'"][^'"]*)['"]/,
  js: /(?:\bfrom\s+|\brequire\()['"]([^.'"][^'"]*)['"]/,
  py: /^(?:from|import)\s+([a-z]\w+(?:\.\w+)*)/,
};
const ENV_FILE = /(?:^|\/)\.env(?:\.[\w.-]+)?$|(?:^|\/)\.envrc$/;
const YAML_KEY = /^( {0,4})([A-Za-z_][\w.-]{1,40}):(?:\s|$)/;
const TOML_KEY = /^\s*\[{0,2}([A-Za-z_][\w.-]{1,40})\]{0,2}\s*(?:=|$)/;
const JSON_KEY = /^\s{0,6}"([A-Za-z_@$][\w.@/$-]{1,60})"\s*:/;

/** Returns the names of environment variables, flags and settings in a line, without their values. */
export function findExternalNames(line: string, path: string): Declaration[] {
  if (line.length > 2_000) return [];
  if (ENV_FILE.test(path)) {
    const name = /^#?\s*(?:export\s+)?([A-Z][A-Z0-9_]{2,})=/.exec(line.trim())?.[1];
    return name === undefined ? [] : [{ kind: 'env', name }];
  }
  const extension = extensionOf(path);
  if (extension === 'yml' || extension === 'yaml') return toDeclarations('setting', YAML_KEY.exec(line)?.[2]);
  if (extension === 'toml' || extension === 'ini' || extension === 'cfg')
    return toDeclarations('setting', TOML_KEY.exec(line)?.[1]);
  if (extension === 'json' || extension === 'jsonc')
    return toDeclarations('setting', JSON_KEY.exec(line)?.[1]);
  if (isProseFile(path)) return [];
  const env = ENV_READS.flatMap((pattern) =>
    [...line.matchAll(pattern)].flatMap((match) => toDeclarations('env', match[1])),
  );
  const isCall = PROGRAM_CALL.test(line);
  const flags = isCall ? [] : [...line.matchAll(FLAG)].flatMap((match) => toDeclarations('flag', match[1]));
  const imported =
    IMPORTS[
      extension === 'tsx' || extension === 'mts'
        ? 'ts'
        : extension === 'jsx' || extension === 'mjs' || extension === 'cjs'
          ? 'js'
          : extension
    ]?.exec(line)?.[1];
  return [
    ...env,
    ...flags,
    ...toDeclarations('import', imported),
    ...(isCall ? toDeclarations('program', readSpawnedCommand(line)) : []),
  ];
}

/** Reads a command line from the quoted words of a call that starts a program. */
function readSpawnedCommand(line: string): string | undefined {
  const words = [...line.slice(line.search(PROGRAM_CALL)).matchAll(/["'`]([^"'`\n]{1,60})["'`]/g)].map(
    (match) => match[1]!,
  );
  const command = words.join(' ');
  return words.length >= 2 && /^[a-z][\w.-]*$/.test(words[0]!) && command.length <= 80 ? command : undefined;
}

const toDeclarations = (kind: Declaration['kind'], name: string | undefined): Declaration[] =>
  name === undefined ? [] : [{ kind, name }];

/** Returns true for documents such as Markdown files. */
export function isProseFile(path: string): boolean {
  return (
    /\.(?:md|mdx|mdc|txt|rst|adoc|org)$/i.test(path) ||
    /(?:^|\/)(?:LICENSE|NOTICE|CHANGELOG|README)$/i.test(path)
  );
}

/** Returns true for settings and data files. */
export function isSettingsFile(path: string): boolean {
  return (
    /\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|lock|properties|csv|env)$/i.test(path) ||
    /(?:^|\/)(?:\.env[\w.-]*|\.gitignore|\.dockerignore|\.editorconfig|\.npmrc|CODEOWNERS|\.gitattributes)$/.test(
      path,
    )
  );
}

const OTHER_FILE =
  /\.(?:html?|css|s[ac]ss|less|xml|astro|lua|hs|erl|zig|nix|tf|proto|graphql|gradle|pyi|ipynb)$/;

/**
 * Returns true when a name ends with a known lower-case file extension: `cart.go`, but not `exec.Command` or
 * `cart.total`.
 */
export function isFileName(name: string): boolean {
  const extension = /\.([a-z][a-z0-9]*)$/.exec(name)?.[1];
  if (extension === undefined) return false;
  return (
    Object.hasOwn(RULES, extension) || isProseFile(name) || isSettingsFile(name) || OTHER_FILE.test(name)
  );
}

export function isTestFile(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]+$|Tests?\.\w+$/.test(
    path,
  );
}

const extensionOf = (path: string): string => /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

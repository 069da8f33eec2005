/** How one setting is read, shown and changed. */
export interface SettingDefinition {
  /** Name in the environment and in settings.json. */
  key: string;
  /** Name in `Settings`. */
  property: string;
  type: 'text' | 'address' | 'path' | 'flag' | 'count' | 'amount' | 'list' | 'globs' | 'choice';
  default: string | number | boolean | readonly string[];
  /** The allowed words of a `choice`, or of each item of a `list`. */
  choices?: readonly string[];
  /** Smallest and largest number allowed. @default 0 and none */
  min?: number;
  max?: number;
  description: string;
  /** False for what decides which program runs, where data lies or where data is sent: only a person at the machine sets that. */
  overHttp: boolean;
  isSecret: boolean;
  /** The worker reads it once, at its start; a change of any other setting works at once. */
  needsRestart?: true;
  /** Reserved for what this version cannot do yet: not listed, and refused rather than ignored when it is set. */
  notYet?: true;
}

/** Who can observe, by the name of the setting; `auto` is none of them but chooses one. */
export const OBSERVER_NAMES = [
  'local',
  'claude',
  'claude-code',
  'gemini',
  'openrouter',
  'openai-compatible',
] as const;
export type ObserverName = (typeof OBSERVER_NAMES)[number];

const open = { overHttp: true, isSecret: false } as const;
const local = { overHttp: false, isSecret: false } as const;
const secret = { overHttp: true, isSecret: true } as const;

/** Every setting, in the order they are shown. The only place where a default is written. */
export const SETTINGS = [
  {
    key: 'CLAUDE_MEM_DATA_DIR',
    property: 'dataDir',
    type: 'path',
    default: '~/.claude-mem',
    description:
      'Folder of the memory. Read from the environment only: hooks find it without reading a file.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_WORKER_HOST',
    property: 'workerHost',
    type: 'text',
    default: '127.0.0.1',
    description: 'Address the worker listens on for the viewer and tools.',
    needsRestart: true,
    ...local,
  },
  {
    key: 'CLAUDE_MEM_WORKER_PORT',
    property: 'workerPort',
    type: 'count',
    default: 37777,
    max: 65535,
    description: 'Port the worker listens on for the viewer and tools; 0 takes any free one.',
    needsRestart: true,
    ...open,
  },
  {
    key: 'CLAUDE_MEM_PROVIDER',
    property: 'provider',
    type: 'choice',
    choices: ['auto', ...OBSERVER_NAMES],
    default: 'auto',
    description: 'The observer: auto takes the first one with a key, else local, which needs none.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_PROVIDER_FALLBACK',
    property: 'providerFallback',
    type: 'list',
    choices: OBSERVER_NAMES,
    default: [],
    description: 'Observers to try in turn when the first one cannot work, such as openrouter,local.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_MODEL',
    property: 'model',
    type: 'text',
    default: '',
    description: 'Model of the observer named first; empty takes the one the provider suggests.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CLAUDE_MODEL',
    property: 'claudeModel',
    type: 'text',
    default: '',
    description: 'Model of the claude observer; wins over CLAUDE_MEM_MODEL.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CLAUDE_CODE_MODEL',
    property: 'claudeCodeModel',
    type: 'text',
    default: '',
    description: 'Model of the claude-code observer; wins over CLAUDE_MEM_MODEL.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_GEMINI_MODEL',
    property: 'geminiModel',
    type: 'text',
    default: '',
    description: 'Model of the gemini observer; wins over CLAUDE_MEM_MODEL.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_OPENROUTER_MODEL',
    property: 'openrouterModel',
    type: 'text',
    default: '',
    description: 'Model of the openrouter observer; wins over CLAUDE_MEM_MODEL.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_OPENAI_MODEL',
    property: 'openaiModel',
    type: 'text',
    default: '',
    description: 'Model of the openai-compatible observer; wins over CLAUDE_MEM_MODEL.',
    ...open,
  },
  {
    key: 'CLAUDE_CODE_PATH',
    property: 'claudeCodePath',
    type: 'path',
    default: '',
    description: 'Claude Code program for the claude-code observer; empty looks for it.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_ANTHROPIC_API_KEY',
    property: 'anthropicApiKey',
    type: 'text',
    default: '',
    description: 'Key for the claude observer.',
    ...secret,
  },
  {
    key: 'CLAUDE_MEM_ANTHROPIC_BASE_URL',
    property: 'anthropicBaseUrl',
    type: 'address',
    default: '',
    description: 'Address of the claude observer; empty takes the vendor’s.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_GEMINI_API_KEY',
    property: 'geminiApiKey',
    type: 'text',
    default: '',
    description: 'Key for the gemini observer.',
    ...secret,
  },
  {
    key: 'CLAUDE_MEM_GEMINI_BASE_URL',
    property: 'geminiBaseUrl',
    type: 'address',
    default: '',
    description: 'Address of the gemini observer; empty takes the vendor’s.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_OPENROUTER_API_KEY',
    property: 'openrouterApiKey',
    type: 'text',
    default: '',
    description: 'Key for the openrouter observer.',
    ...secret,
  },
  {
    key: 'CLAUDE_MEM_OPENROUTER_BASE_URL',
    property: 'openrouterBaseUrl',
    type: 'address',
    default: '',
    description: 'Address of the openrouter observer; empty takes the vendor’s.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_OPENAI_API_KEY',
    property: 'openaiApiKey',
    type: 'text',
    default: '',
    description: 'Key for the openai-compatible observer; empty for servers that need none.',
    ...secret,
  },
  {
    key: 'CLAUDE_MEM_OPENAI_BASE_URL',
    property: 'openaiBaseUrl',
    type: 'address',
    default: '',
    description: 'Address of the openai-compatible observer.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_BATCHING_ENABLED',
    property: 'batchingEnabled',
    type: 'flag',
    default: true,
    description: 'One observer call for several tool uses; false makes one call each.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_BATCH_MAX_SIZE',
    property: 'batchMaxSize',
    type: 'count',
    default: 20,
    min: 1,
    max: 2000,
    description: 'Tool uses in one observer call at most.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_VERBOSITY',
    property: 'verbosity',
    type: 'choice',
    choices: ['minimal', 'normal', 'verbose'],
    default: 'normal',
    description: 'How much the observer keeps.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_BUDGET_DAY_CALLS',
    property: 'budgetDayCalls',
    type: 'count',
    default: 500,
    description: 'Observer calls per day; 0 or empty: no limit.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_BUDGET_DAY_TOKENS',
    property: 'budgetDayTokens',
    type: 'count',
    default: 2_000_000,
    description: 'Observer tokens per day; 0 or empty: no limit.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_BUDGET_DAY_USD',
    property: 'budgetDayUsd',
    type: 'amount',
    default: 0,
    description: 'Estimated cost of the observer per day in US dollars; 0 or empty: no limit.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_BUDGET_SESSION_TOKENS',
    property: 'budgetSessionTokens',
    type: 'count',
    default: 0,
    description: 'Observer tokens per session; 0 or empty: no limit.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_REQUEST_MAX_TOKENS',
    property: 'requestMaxTokens',
    type: 'count',
    default: 8000,
    description: 'Tokens of one request to the observer; 0 or empty: no limit.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_MODE',
    property: 'mode',
    type: 'choice',
    choices: ['code', 'research'],
    default: 'code',
    description: 'What kind of work is remembered.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_LANGUAGE',
    property: 'language',
    type: 'text',
    default: '',
    description: 'Language of the memories; empty writes in the language of the prompt.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CONTEXT_TOKENS',
    property: 'contextTokens',
    type: 'count',
    default: 1200,
    description: 'Size of the context at session start, in tokens.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CONTEXT_ENABLED',
    property: 'contextEnabled',
    type: 'flag',
    default: true,
    description: 'Give context at session start.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CONTEXT_PARTS',
    property: 'contextParts',
    type: 'list',
    choices: ['open', 'pinned', 'branch', 'timeline'],
    default: ['open', 'pinned', 'branch', 'timeline'],
    description:
      'What it is made of: where work stands, what is pinned, what concerns the branch, the index of the past.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_RECALL_ON_PROMPT',
    property: 'recallOnPrompt',
    type: 'flag',
    default: false,
    description: 'Give the few memories that fit a prompt along with it; nothing where none does.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_FILE_HISTORY',
    property: 'fileHistory',
    type: 'flag',
    default: true,
    description: 'Give what is remembered about a file when it is read, once in a session.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CONTEXT_NOTICE',
    property: 'contextNotice',
    type: 'flag',
    default: true,
    description: 'Tell the person in one line how much context a session was given.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CLAUDE_MD',
    property: 'claudeMd',
    type: 'flag',
    default: false,
    description: 'Keep a block of recent memory in the project’s CLAUDE.md.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CLAUDE_MD_FOLDERS',
    property: 'claudeMdFolders',
    type: 'flag',
    default: false,
    description: 'Keep such a block in the CLAUDE.md of folders where work happened.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CURSOR_RULES',
    property: 'cursorRules',
    type: 'choice',
    choices: ['auto', 'true', 'false'],
    default: 'auto',
    description: 'Keep a Cursor rules file; auto does it where Cursor is used.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_VECTOR_INDEX',
    property: 'vectorIndex',
    type: 'choice',
    choices: ['flat', 'chroma', 'none'],
    default: 'flat',
    description: 'Where vectors for search by meaning are kept.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CHROMA_URL',
    property: 'chromaUrl',
    type: 'address',
    default: 'managed',
    description: 'Address of the Chroma server; managed starts one of our own.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_CHROMA_TENANT',
    property: 'chromaTenant',
    type: 'text',
    default: '',
    description: 'Tenant on the Chroma server.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CHROMA_DATABASE',
    property: 'chromaDatabase',
    type: 'text',
    default: '',
    description: 'Database on the Chroma server.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_CHROMA_TOKEN',
    property: 'chromaToken',
    type: 'text',
    default: '',
    description: 'Token for the Chroma server.',
    ...secret,
  },
  {
    key: 'CLAUDE_MEM_EMBEDDER',
    property: 'embedder',
    type: 'choice',
    choices: ['use-lite', 'transformers', 'openai-compatible', 'none'],
    default: 'use-lite',
    description: 'What turns text into vectors; use-lite works offline.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_EMBEDDER_MODEL',
    property: 'embedderModel',
    type: 'text',
    default: '',
    description:
      'Model of the transformers embedder (a name on the hub, or a folder) or of the openai-compatible one.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_EMBEDDER_BASE_URL',
    property: 'embedderBaseUrl',
    type: 'address',
    default: '',
    description: 'Address of the openai-compatible embedder.',
    ...local,
  },
  {
    key: 'CLAUDE_MEM_EMBEDDER_API_KEY',
    property: 'embedderApiKey',
    type: 'text',
    default: '',
    description: 'Key for the openai-compatible embedder; empty for servers that need none.',
    ...secret,
  },
  {
    key: 'CLAUDE_MEM_SEMANTIC_WINDOW_DAYS',
    property: 'semanticWindowDays',
    type: 'count',
    default: 0,
    description: 'Age limit of hits by meaning, in days; 0 or empty: no limit.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_EXCLUDED_PROJECTS',
    property: 'excludedProjects',
    type: 'globs',
    default: [],
    description: 'Folders that leave no trace, such as ~/secret/**,**/client-*.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_SKIP_TOOLS',
    property: 'skipTools',
    type: 'list',
    default: [],
    description: 'Tools whose calls are only counted, besides those that are skipped anyway.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_ENABLED',
    property: 'enabled',
    type: 'flag',
    default: true,
    description: 'False switches capture and context off.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_LOG_LEVEL',
    property: 'logLevel',
    type: 'choice',
    choices: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Least severity that is logged.',
    needsRestart: true,
    ...open,
  },
  {
    key: 'CLAUDE_MEM_BACKUP_KEEP',
    property: 'backupKeep',
    type: 'count',
    default: 7,
    description: 'Backups of the database that are kept.',
    needsRestart: true,
    ...open,
  },
  {
    key: 'CLAUDE_MEM_RETENTION_DAYS',
    property: 'retentionDays',
    type: 'count',
    default: 0,
    description: 'Age at which memories are deleted, in days; 0 or empty: never.',
    notYet: true,
    ...open,
  },
] as const satisfies readonly SettingDefinition[];

type Definition = (typeof SETTINGS)[number];

/** Name of a setting in the environment and in settings.json. */
export type SettingKey = Definition['key'];

type ValueOf<D extends SettingDefinition> = D extends { type: 'flag' }
  ? boolean
  : D extends { type: 'count' | 'amount' }
    ? number
    : D extends { type: 'list'; choices: readonly (infer Choice)[] }
      ? readonly Choice[]
      : D extends { type: 'list' | 'globs' }
        ? readonly string[]
        : D extends { type: 'choice'; choices: readonly (infer Choice)[] }
          ? Choice
          : string;

/** Every setting with its real type. */
export type Settings = { readonly [D in Definition as D['property']]: ValueOf<D> };

/** A value of any setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** The definition of a key, or undefined when it is not ours. */
export function findSetting(key: string): SettingDefinition | undefined {
  return SETTINGS.find((definition) => definition.key === key);
}

const FILE =
  /(?<![\w@])(?:~|\.{1,2})?\/?(?:[\w@.+-]+\/)*[\w@.+-]*\.(?:go|tsx?|jsx?|mjs|cjs|mts|cts|py|rs|java|kts?|swift|rb|php|cs|c|h|cc|cpp|hpp|scala|dart|ex|exs|vue|svelte|css|scss|less|html?|sql|sh|bash|zsh|ps1|ya?ml|json[cl]?|toml|ini|cfg|conf|env|md|mdx|mdc|txt|rst|xml|gradle|lock|proto|graphql|tf|ipynb|csv|plist|snap|hbs|ejs|liquid|prisma|astro)\b(?!\.\w)/g;
const BARE =
  /(?<![\w/.-])(?:\.env(?:\.[\w-]+)?|\.gitignore|\.dockerignore|\.npmrc|Dockerfile|Makefile|Gemfile|Rakefile|Procfile|Justfile|LICENSE)\b(?![\w.-]*\()/g;
const FOLDER = /(?<![\w@.])(?:[\w@.-]+\/){1,8}(?=[\s`'",.;:)]|$)/g;

/** Returns the paths and file names in a text, without line numbers. */
export function filesIn(text: string): string[] {
  const head = text.slice(0, 4_000);
  const names = [...head.matchAll(FILE), ...head.matchAll(BARE)].map((match) => match[0]);
  return [...new Set(names)].filter(
    (name) =>
      !/^(?:node|next|vue|nuxt|express|three|d3|chart|bun|deno)\.js$/i.test(name) &&
      !/^\.\w+$/.test(name.replace(/^\.(?:env|git|docker|npm).*/, 'x')),
  );
}

/** Returns the folders in a text that end with a slash. */
export function foldersIn(text: string): string[] {
  return [...new Set([...text.slice(0, 4_000).matchAll(FOLDER)].map((match) => match[0]))];
}

/** Returns true when `path` ends with `name` at a folder boundary. */
export function endsWithPath(path: string, name: string): boolean {
  const normalized = name.replace(/^(?:\.\/|\/)/, '').replace(/\/$/, '');
  return (
    path === normalized ||
    path.endsWith(`/${normalized}`) ||
    (name.startsWith('/') && name.endsWith(`/${path}`)) ||
    normalized.endsWith(`/${path}`)
  );
}

/** Returns the code, symbols, options and numbers with units in a text. They make a sentence verifiable. */
export function termsIn(text: string): string[] {
  const head = text.slice(0, 4_000);
  const code = [...head.matchAll(/`([^`\n]{2,120})`/g)].map((match) => match[1]!);
  const names = [
    ...head.matchAll(
      /(?<![\w`])(?:[A-Z]{2,}[A-Z0-9]*_[A-Z0-9_]+|[a-z]+[a-z0-9]*[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w+|\w+_\w+|\w+\(\)|--[a-z][\w-]+)/g,
    ),
  ].map((match) => match[0]);
  return [...new Set([...code, ...names])];
}

export const hasNumber = (text: string): boolean => /\d/.test(text.replace(/^\d+[.)]\s/, ''));

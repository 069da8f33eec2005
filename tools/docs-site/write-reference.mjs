// npm run docs:reference: writes docs/reference from the tables of settings, commands, routes and MCP tools and from the
// exports of the libraries, and the list of decisions.
// --check: writes nothing; exits with 1 when a file is not current.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../workspace.mjs';
import { formatFields } from './format-schema.mjs';
import { listExports } from './list-exports.mjs';

const isCheck = process.argv.includes('--check');
const TYPES = {
  flag: '`true` or `false`',
  count: 'integer',
  list: 'values, separated by commas',
  globs: 'globs, separated by commas',
  choice: 'one of the values',
};
const load = (file) => import(path.join(root, file));

const { SETTING_GROUPS } = await load('libs/settings/src/setting-definitions.ts');
const { COMMANDS } = await load('apps/hooks-cli/src/commands/index.ts');
const { renderCommandHelp, renderOverview } = await load('apps/hooks-cli/src/render-help.ts');
const { ROUTES } = await load('libs/worker-protocol/src/routes.ts');
const { TOOLS } = await load('apps/mcp-server/src/tools/index.ts');

const pages = {
  'docs/reference/settings.md': settingsPage(),
  'docs/reference/cli.md': cliPage(),
  'docs/reference/http.md': httpPage(),
  'docs/reference/mcp.md': mcpPage(),
  'docs/reference/exports.md': exportsPage(),
  'docs/decisions/README.md': decisionsPage(),
};
const outdated = [];
mkdirSync(path.join(root, 'docs', 'reference'), { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(root, name);
  if (!isCheck) writeFileSync(file, text);
  else if (readIfPresent(file) !== text) outdated.push(name);
}
if (outdated.length > 0) {
  console.error(`${outdated.join(', ')}: not current. Run: npm run docs:reference`);
  process.exitCode = 1;
}

function settingsPage() {
  const groups = SETTING_GROUPS.map(({ name, settings }) => {
    const listed = settings.filter(({ notYet }) => !notYet);
    return `## ${name}\n\n${listed.map(formatSetting).join('\n\n')}`;
  });
  return page(
    'Settings',
    'Each setting is a key of `settings.json` in the data directory. `claude-mem settings set KEY VALUE` changes the file, and the worker ' +
      'applies the change immediately, unless a restart is required. An environment variable of the same name overrides the file for ' +
      '`claude-mem` commands and for a worker that `claude-mem start` starts. A worker that a hook starts reads the file only.',
    groups,
  );
}

function formatSetting(setting) {
  const { key, type, default: value, description, choices, min, max, inheritsFrom = [] } = setting;
  const { isSecret, overHttp, needsRestart } = setting;
  const facts = [
    `Type: ${TYPES[type] ?? type}`,
    `Default: ${formatDefault(value)}`,
    choices === undefined ? null : `Values: ${choices.map(code).join(', ')}`,
    min === undefined && max === undefined ? null : `Range: ${min ?? 0} to ${max ?? 'any number'}`,
    inheritsFrom.length === 0
      ? null
      : `Without a value, uses ${inheritsFrom.map(code).join(', ')} of the environment`,
    isSecret ? 'Secret: shown masked' : null,
    overHttp ? null : 'Cannot be changed in the viewer',
    needsRestart ? 'A change needs `claude-mem restart`' : null,
  ].filter((fact) => fact !== null);
  return [`### ${key}`, description, facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n');
}

function formatDefault(value) {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty';
  return code(Array.isArray(value) ? value.join(',') : String(value));
}

function cliPage() {
  const commands = COMMANDS.map(
    (command) => `## ${command.name}\n\n\`\`\`text\n${renderCommandHelp(command)}\n\`\`\``,
  );
  return page('Command line', 'The output of `claude-mem help` and of `claude-mem help COMMAND`.', [
    `\`\`\`text\n${renderOverview(COMMANDS)}\n\`\`\``,
    ...commands,
  ]);
}

function httpPage() {
  const permissions = {
    open: 'no token',
    token: 'token',
    admin: 'token, from this machine only',
  };
  const routes = Object.values(ROUTES).map(
    ({ method, path: route, auth, description, params, query, body, reply }) =>
      [
        `## ${method} ${route}`,
        description,
        `Authentication over TCP: ${permissions[auth]}.`,
        ...[
          ['Path parameters', params],
          ['Query', query],
          ['Body', body],
        ].flatMap(([title, schema]) => (schema === undefined ? [] : fieldsOf(title, schema))),
        ...(typeof reply === 'string'
          ? [`Response: ${reply === 'text' ? 'text' : 'server-sent events'}.`]
          : fieldsOf('Response', reply)),
      ].join('\n\n'),
  );
  return page(
    'HTTP API',
    'The worker listens on a Unix socket in the data directory and on a TCP port of this machine. Requests over the socket need no token. ' +
      'Requests over TCP send `Authorization: Bearer TOKEN` with the content of the file `token`. An error has the form ' +
      '`{"error": {"code": "…", "message": "…"}}`.',
    routes,
  );
}

function mcpPage() {
  const tools = TOOLS.map(({ name, description, input, output, annotations }) =>
    [
      `## ${name}`,
      annotations.readOnlyHint ? description : `${description} Writes to the memory.`,
      ...fieldsOf('Arguments', input['~standard'].jsonSchema.input({ target: 'draft-2020-12' })),
      ...(output === undefined
        ? []
        : fieldsOf('Structured result', output['~standard'].jsonSchema.output({ target: 'draft-2020-12' }))),
    ].join('\n\n'),
  );
  return page(
    'MCP tools',
    'The tools of `claude-mem mcp`, as an agent receives them. Every tool also returns text.',
    tools,
  );
}

function exportsPage() {
  const entries = listExports().map(
    ({ name, exports }) => `## ${name}\n\n${exports.map((exported) => `- ${code(exported)}`).join('\n')}`,
  );
  return page(
    'Exports of the libraries',
    'The public names of every entry point. A change of this page is a change of the public API.',
    entries,
  );
}

function decisionsPage() {
  const files = readdirSync(path.join(root, 'docs', 'decisions')).filter((name) => /^\d/.test(name));
  const items = files.map((name) => {
    const [, title] = /^# (.+)$/m.exec(readFileSync(path.join(root, 'docs', 'decisions', name), 'utf8'));
    return `- ${name.slice(0, 10)} [${title}](${name})`;
  });
  return page('Decisions', 'Each page gives one decision and its reasons at its date.', [items.join('\n')]);
}

function fieldsOf(title, schema) {
  const rows = formatFields(schema);
  return typeof rows === 'string'
    ? [`${title}: ${rows}.`]
    : [`${title}:`, table(['field', 'type', 'required', 'description'], rows)];
}

function page(title, introduction, sections) {
  return [`# ${title}`, '<!-- Generated by npm run docs:reference. -->', introduction, ...sections, ''].join(
    '\n\n',
  );
}

function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text) {
  return `\`${text}\``;
}

function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

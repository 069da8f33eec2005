import { at, capitals, hex, join, random, value, word, type SecretText } from './synthetic-secrets.js';
import { SPACED_SECRET_TEXTS } from './spaced-secret-texts.js';
import { STRUCTURED_SECRET_TEXTS } from './structured-secret-texts.js';

const form = (name: string, secret: string): SecretText => ({
  name,
  text: `key ${secret} end`,
  secret,
  keeps: ['key ', ' end'],
});

const FORMS: readonly SecretText[] = [
  form('AWS access key', join('AK', 'IA', capitals(16))),
  form('AWS session key', join('AS', 'IA', capitals(16))),
  form('AWS key of sixteen letters', join('AK', 'IA', 'ABCDEFGHIJKLMNOP')),
  form('Google API key', join('AI', 'za', random(35))),
  form('Google OAuth token', join('ya', '29.', random(60))),
  form('Google OAuth client secret', join('GOC', 'SPX-', random(28))),
  ...['p', 'o', 'u', 's', 'r'].map((letter) =>
    form(`GitHub gh${letter}`, join('gh', letter, '_', random(36))),
  ),
  form('GitHub fine-grained', join('github', '_pat_', random(22), '_', random(59))),
  form('GitLab personal', join('gl', 'pat-', random(20))),
  form('GitLab deploy', join('gl', 'dt-', random(20))),
  form('GitLab runner', join('gl', 'rt-', random(20))),
  form('Slack bot', join('xo', 'xb-', '123456789012-', random(24))),
  form('Slack user', join('xo', 'xp-', '123456789012-', random(24))),
  form('Slack app', join('xa', 'pp-1-A0123-', hex(40))),
  form('Stripe secret', join('sk', '_live_', random(24))),
  form('Stripe test', join('sk', '_test_', random(24))),
  form('Stripe restricted', join('rk', '_live_', random(24))),
  form('Stripe publishable', join('pk', '_live_', random(24))),
  form('Stripe webhook', join('wh', 'sec_', random(32))),
  form('Twilio key', join('S', 'K', hex(32))),
  form('Twilio account', join('A', 'C', hex(32))),
  form('SendGrid', join('S', 'G.', random(22), '.', random(43))),
  form('Mailgun', join('ke', 'y-', hex(32))),
  form('Mailchimp', join(hex(32), '-us', '12')),
  form('Tailscale', join('ts', 'key-auth-', random(16), '-', random(32))),
  form('bcrypt hash', join('$2', 'b$12$', random(53))),
  form('SHA-512 crypt hash', join('$', '6$', random(8), '$', random(86))),
  form('Apache MD5 hash', join('$ap', 'r1$', random(8), '$', random(22))),
  form('npm', join('np', 'm_', random(36))),
  form('PyPI', join('py', 'pi-AgEIcHlwaS5vcmc', random(60))),
  form('Docker Hub', join('dckr', '_pat_', random(27))),
  form('DigitalOcean', join('do', 'p_v1_', hex(64))),
  form('Heroku', join('HR', 'KU-', random(40))),
  form('Hugging Face', join('h', 'f_', random(34))),
  form('OpenAI old', join('s', 'k-', random(48))),
  form('OpenAI project', join('s', 'k-proj-', random(60))),
  form('OpenAI service', join('s', 'k-svcacct-', random(60))),
  form('Anthropic', join('s', 'k-ant-api03-', random(80))),
  form('OpenRouter', join('s', 'k-or-v1-', hex(64))),
  form('Groq', join('gs', 'k_', random(52))),
  form('Replicate', join('r', '8_', random(37))),
  form('xAI', join('x', 'ai-', random(60))),
  form('Perplexity', join('pp', 'lx-', random(48))),
  form('NVIDIA', join('nv', 'api-', random(60))),
  form('Discord bot', join('M', random(25), '.', random(6), '.', random(38))),
  form('Square access', join('sq', '0atp-', random(22))),
  form('Square secret', join('sq', '0csp-', random(43))),
  form('Shopify', join('shp', 'at_', hex(32))),
  form('Sentry token', join('snt', 'rys_', random(60))),
  form('Linear', join('lin', '_api_', random(40))),
  form('Notion', join('nt', 'n_', random(46))),
  form('Notion old', join('sec', 'ret_', random(43))),
  form('Atlassian', join('ATA', 'TT3', random(60))),
  form('Doppler', join('d', 'p.pt.', random(43))),
  form('Vault', join('hv', 's.', random(90))),
  form('Terraform Cloud', join('.atl', 'asv1.', random(67))),
  form('age key', join('AGE-SEC', 'RET-KEY-1', capitals(58))),
  form('Supabase', join('sb', 'p_', hex(40))),
  form('PlanetScale', join('psc', 'ale_tkn_', random(43))),
  form('Postman', join('PM', 'AK-', hex(24), '-', hex(34))),
  form('New Relic', join('NR', 'AK-', random(27))),
  form('Grafana', join('gl', 'sa_', random(32), '_', hex(8))),
  form('Databricks', join('da', 'pi', hex(32))),
  form('Figma', join('fi', 'gd_', random(40))),
  form('RubyGems', join('ruby', 'gems_', hex(48))),
  form('JWT', join('ey', 'J', random(30), '.', 'ey', 'J', random(60), '.', random(43))),
].map((example) =>
  example.name === 'Terraform Cloud'
    ? { ...example, secret: random(67), text: `key ${random(14)}${String(example.secret)} end` }
    : example,
);

const body = [random(64), random(64), random(40)];
const pem = (kind: string) => [
  join('-----BE', `GIN ${kind}-----`),
  ...body,
  join('-----E', `ND ${kind}-----`),
];
const pemCase = (name: string, text: string, keeps: string[] = []): SecretText => ({
  name,
  text,
  secret: body,
  keeps,
});

const KEYS: readonly SecretText[] = [
  ...[
    'RSA PRIVATE KEY',
    'PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ].map((kind) => pemCase(kind, `before\n${pem(kind).join('\n')}\nafter`, ['before', 'after'])),
  pemCase('PEM with CRLF', pem('PRIVATE KEY').join('\r\n')),
  pemCase(
    'PEM with literal line breaks',
    JSON.stringify({ private_key: pem('PRIVATE KEY').join('\n'), client_email: 'a@b.c' }),
    ['client_email', 'a@b.c'],
  ),
  pemCase(
    'PEM escaped twice',
    JSON.stringify(JSON.stringify({ k: pem('PRIVATE KEY').join('\n'), next: 'kept' })),
    ['kept'],
  ),
  pemCase('PEM on one line', pem('RSA PRIVATE KEY').join(' ')),
  pemCase(
    'PEM with line numbers',
    pem('RSA PRIVATE KEY')
      .map((line, index) => `     ${index + 1}→${line}`)
      .join('\n'),
  ),
  pemCase('PEM without end', `x\n${pem('RSA PRIVATE KEY').slice(0, -1).join('\n')}\n`, ['x']),
  pemCase(
    'PEM without end, text after',
    `${pem('RSA PRIVATE KEY').slice(0, -1).join('\n')}\n\nThis sentence is kept.`,
    ['This sentence is kept.'],
  ),
  pemCase('PEM without end, literal breaks', pem('PRIVATE KEY').slice(0, -1).join('\\n')),
  pemCase(
    'PEM without end, line numbers',
    pem('RSA PRIVATE KEY')
      .slice(0, -1)
      .map((line, index) => `${index + 1}\t${line}`)
      .join('\n'),
  ),
  pemCase(
    'PEM in a change',
    pem('RSA PRIVATE KEY')
      .map((line) => `+${line}`)
      .join('\n'),
  ),
  pemCase(
    'PEM with headers',
    [pem('RSA PRIVATE KEY')[0], 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00FF', '', ...body].join(
      '\n',
    ),
  ),
];

const NAMED: readonly SecretText[] = [
  at('export PGPASSWORD', `export PGPASSWORD=${word}; psql`, word, ['export PGPASSWORD=', 'psql']),
  at('secret of an environment', `FOO_SECRET=${word}`, word, 'FOO_SECRET='),
  at('an innocent looking password', 'DB_PASSWORD=e2e-test-secret', 'e2e-test-secret', 'DB_PASSWORD='),
  at('a word as password', 'DB_PASSWORD=hunter', 'hunter'),
  at('quoted environment', `export API_KEY="${value}"`, value),
  at('single quotes', `export API_KEY='${value}'`, value),
  at('a password with signs', 'DB_PASSWORD=p&ss;w0rd,x', ['p&ss', 'w0rd']),
  at('several on a line', `A_TOKEN=${value} B_SECRET=${word} npm start`, [value, word], 'npm start'),
  at('yaml', `DB_PASSWORD: ${word}`, word),
  at('yaml, small letters', `db:\n  user: app\n  password: ${word}\n`, word, 'user: app'),
  at('yaml, quoted', `password: "correct horse battery staple"`, 'correct horse'),
  at('setx', `setx API_TOKEN ${value}`, value, 'setx API_TOKEN '),
  at('fish', `set -gx GITHUB_TOKEN ${value}`, value),
  at('PowerShell', `$env:API_KEY="${value}"`, value),
  at('PowerShell with blanks', `$env:API_KEY = '${value}'`, value),
  at('Dockerfile ENV', `ENV DB_PASSWORD ${word}`, word),
  at('flag with blank', `tool --password ${word} --verbose`, word, ['--password', '--verbose']),
  at('flag with =', `tool --token=${value}`, value),
  at('flag with quotes', `tool --api-key "${value}"`, value),
  at('flag with an ordinary word', 'tool --password hunter', 'hunter'),
  at('Java property', `-Dspring.datasource.password=${word}`, word),
  at('properties', `spring.datasource.password=${word}`, word),
  at('ini', `[db]\npassword = ${word}`, word),
  at('mysql', `mysql -u root -p${word} app`, word, 'mysql -u root -p'),
  at('mysqldump, quoted', `mysqldump -p'${word}' app`, word),
  at('sshpass', `sshpass -p ${word} ssh host`, word),
  at('redis', `redis-cli -h host -a ${word} ping`, word),
  at('docker login', `docker login -u me -p ${word} host`, word),
  at('openssl', `openssl rsa -passin pass:${word} -in a`, word),
  at('JSON field', `{"password": "${word}", "user": "x"}`, word, '"user": "x"'),
  at('JSON field without blank', `{"password":"${word}"}`, word),
  at('JSON in a string', JSON.stringify(`{"password": "${word}", "user": "x"}`), word, 'user'),
  at(
    'JSON in a string in a string',
    JSON.stringify(JSON.stringify({ apiKey: value, user: 'x' })),
    value,
    'user',
  ),
  at('camelCase', `{ apiKey: '${value}' }`, value),
  at('client_secret', `"client_secret": "${value}"`, value),
  at('client-secret', `client-secret: ${value}`, value),
  at('secretAccessKey', `secretAccessKey: "${value}"`, value),
  at('AWS credentials', `aws_secret_access_key = ${random(38)}/+`, random(38)),
  at('accessToken', `"accessToken":"${value}"`, value),
  at('npm _authToken', `//npm.example.com/:_authToken=${value}`, value),
  at('passwords in a list', `"passwords": ["${word}", "other-one"]`, [word, 'other-one']),
  at('TypeScript constant', `const password: string = "${word}";`, word),
  at('assignment in code', `const apiKey = "${value}";`, value),
  at('Go', `password := "${word}"`, word),
  at('Ruby', `:password => "${word}"`, word),
  at('comparison', `if password == "${word}":`, word),
  at('Python keyword', `connect(user="app", password="${word}")`, word, 'user="app"'),
  at('template literal', `const secret = \`${word}\`;`, word),
  at('XML element', `<password>${word}</password>`, word, '</password>'),
  at('XML attribute', `<add key="password" value="${word}"/>`, word),
  at('input element', `<input name="password" value="${word}">`, word),
  at('name and value', `{ "name": "DB_PASSWORD", "value": "${word}" }`, word),
  at('name and value of a header', `{ "name": "Authorization", "value": "Bearer ${word}" }`, word),
  at('key and value', `{key:'password', value:'${word}'}`, word),
  at('Kubernetes environment', `- name: DB_PASSWORD\n  value: ${word}`, word),
  at('connection string', `Server=db;User Id=sa;Password=${word};Encrypt=true`, word, 'Encrypt=true'),
  at('said in prose', `the password is ${join('hunt', 'er22')}.`, join('hunt', 'er22')),
  at('netrc', `machine host login me password ${word}`, word, 'machine host login me'),
  at('own token', `x-claude-mem-token: ${hex(64)}`, hex(64)),
  at(
    'mnemonic',
    `mnemonic: "legal winner thank year wave sausage worth useful legal winner thank yellow"`,
    'sausage',
  ),
];

const HEADERS: readonly SecretText[] = [
  at('bearer in a header', `Authorization: Bearer tok-XYZ`, 'tok-XYZ', 'Authorization: Bearer '),
  at('bearer of curl', `curl -H "Authorization: Bearer tok-XYZ" https://x`, 'tok-XYZ', 'https://x'),
  at('basic', `Authorization: Basic ${random(24)}==`, random(24)),
  at('scheme token', `authorization: token ${value}`, value),
  at('header without scheme', `Authorization: ${value}`, value),
  at('proxy', `Proxy-Authorization: Basic ${value}`, value),
  at('header in an object', `headers: { Authorization: 'Bearer ${value}' }`, value),
  at('header in JSON', `{"Authorization":"Bearer ${value}","Accept":"*/*"}`, value, 'Accept'),
  at(
    'header in escaped JSON',
    JSON.stringify(`{"Authorization":"Bearer tok-XYZ","Accept":"x"}`),
    'tok-XYZ',
    'Accept',
  ),
  at('header in arguments', `["-H","Authorization: Bearer tok-XYZ"]`, 'tok-XYZ'),
  at('cookie', `Cookie: sid=${value}; theme=dark`, value),
  at('set-cookie', `Set-Cookie: session=${value}; HttpOnly`, value),
  at('cookie of curl', `curl -H 'Cookie: a=${value}' https://x`, value, 'https://x'),
  at('x-api-key', `X-Api-Key: ${value}`, value),
  at('x-api-key of curl', `curl -H "x-api-key: simple" https://x`, 'simple'),
  at('headers with CRLF', `GET / HTTP/1.1\r\nAuthorization: Bearer tok-XYZ\r\nHost: x`, 'tok-XYZ', 'Host: x'),
  at('bearer alone', `sent Bearer ${value}`, value),
  at('basic auth of curl', `curl -u admin:${word} https://x`, word, ['-u admin:', 'https://x']),
  at('basic auth, long flag', `curl --user "admin:${word}" https://x`, word),
];

const ADDRESSES: readonly SecretText[] = [
  at('password in an address', `postgres://app:${word}@db.example.com:5432/app`, word, [
    'postgres://app:',
    '@db.example.com:5432/app',
  ]),
  at('password with @', `redis://:p@ss@host:6379`, 'p@ss', '@host:6379'),
  at('token in an address', `https://x-access-token:${value}@github.com/a/b.git`, value),
  at('query token', `https://x/y?token=${value}&page=2`, value, '&page=2'),
  at('query key', `https://x/y?page=1&key=${value}`, value),
  at('query access_token', `https://x/#access_token=${value}`, value),
  at('presigned', `https://b.s3.amazonaws.com/o?X-Amz-Signature=${hex(64)}&X-Amz-Date=1`, hex(64)),
  at('shared access signature', `https://a.blob.core.windows.net/c?sv=2022&sig=${random(43)}%3D`, random(43)),
  at(
    'Azure storage',
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${random(86)}==;EndpointSuffix=x`,
    random(86),
    'EndpointSuffix=x',
  ),
  at(
    'Azure service bus',
    `Endpoint=sb://a/;SharedAccessKeyName=Root;SharedAccessKey=${random(43)}=`,
    random(43),
  ),
  at('Sentry DSN', `https://${hex(32)}@o12345.ingest.sentry.io/678`, hex(32), 'ingest.sentry.io/678'),
  at('Slack webhook', join('https://hooks.sl', `ack.com/services/T0/B0/${value}`), value),
  at('Discord webhook', join('https://disc', `ord.com/api/webhooks/1234567890/${random(68)}`), random(68)),
  at('Telegram bot', `https://api.telegram.org/bot123456789:AA${random(33)}/getMe`, random(33)),
];

const AFTER_ESCAPES: readonly SecretText[] = [
  at('after a literal line break', `a\\n${join('gh', 'p_', random(36))}\\nb`, random(36)),
  at('name after a literal line break', `A=1\\nDB_PASSWORD=${word}\\nB=2`, word, '\\nB=2'),
  at('after an escaped sign', `key\\u003d${join('gh', 'p_', random(36))}`, random(36)),
  at('after a percent escape', `key%3D${join('gh', 'p_', random(36))}`, random(36)),
  at('after a colour', `\u001b[32m${join('gh', 'p_', random(36))}\u001b[0m`, random(36)),
];

const mixed = join('Zq1000', 'Wv7tKpL3n', 'XbR9mYc');

const TRIPLE_QUOTED: readonly SecretText[] = [
  at('three double quotes', `SECRET_KEY = """${mixed}"""\nDEBUG = 1`, mixed, 'DEBUG = 1'),
  at('three single quotes', `SECRET_KEY = '''${mixed}'''\nDEBUG = 1`, mixed, 'DEBUG = 1'),
  at('three quotes over lines', `api_key = """\n${mixed}\n"""\nDEBUG = 1`, mixed, 'DEBUG = 1'),
];

const USERS_OF_ADDRESSES: readonly SecretText[] = [
  at('token as user', `git clone https://${mixed}@github.com/a/b`, mixed, '@github.com/a/b'),
  at('token as user, OAuth', `git clone https://${mixed}:x-oauth-basic@github.com/a/b`, mixed, [
    'git clone https://',
    ':x-oauth-basic@github.com/a/b',
  ]),
  at(
    'a plain token of OAuth',
    `https://${join('correct', 'horse')}:x-oauth-basic@github.com/a`,
    'correcthorse',
  ),
  at('token as user, empty password', `https://${mixed}:@host/a`, mixed, '@host/a'),
  at('token as user, with a password', `https://${mixed}:${word}@host/a`, [mixed, word], '@host/a'),
  at('hex as user', `https://${hex(40)}@host/a`, hex(40), '@host/a'),
];

const COMMANDS: readonly SecretText[] = [
  at('echo to docker login', `echo ${mixed} | docker login -u me --password-stdin host`, mixed, [
    'echo ',
    ' | docker login -u me --password-stdin host',
  ]),
  at('echo in quotes', `echo -n "${mixed}" | docker login --password-stdin`, mixed, 'echo -n '),
  at(
    'echo of a passphrase',
    `echo 'correct horse; stable' | helm registry login --password-stdin`,
    'horse; stable',
  ),
  at('echo to sudo', 'echo hunter | sudo -S apt update', 'hunter', 'sudo -S apt update'),
  at('echo to sudo, flags together', `echo ${word} | sudo -kS -u me ls`, word, 'ls'),
  at('echo through another command', `echo ${word} | tr -d x | podman login --password-stdin`, word),
  at('echo of a token', `echo ${mixed}|gh auth login --with-token`, mixed),
  at('echo to chpasswd', `echo me:${word} | chpasswd`, word),
  at('echo to gh secret', `echo ${mixed} | gh secret set NAME`, mixed, 'gh secret set NAME'),
  at('printf', `printf '%s' '${word}' | docker login --password-stdin`, word),
  at('printf with a line break', `printf "${word}\\n" | sudo -S ls`, word, 'sudo -S ls'),
  at('here-string of sudo', `sudo -S <<< '${mixed}' ls`, mixed, ['sudo -S <<< ', ' ls']),
  at('here-string of sudo, at the end', `sudo -S apt update <<<${word}`, word, 'sudo -S apt update <<<'),
  at('here-string of docker login', `docker login --password-stdin <<< "${word}"`, word),
  at('htpasswd', `htpasswd -b f u ${mixed}`, mixed, 'htpasswd -b f u '),
  at('htpasswd with cost', `htpasswd -bBC 10 /etc/users "u" 'hunter' && ls`, 'hunter', [
    '10 /etc/users',
    '&& ls',
  ]),
  at('htpasswd without file', `htpasswd -nbB admin ${word} > users`, word, ['admin ', ' > users']),
  at('htpasswd of an image', `--entrypoint htpasswd httpd:2 -Bbn me ${word}`, word, 'httpd:2 -Bbn me '),
  at('gh secret', `gh secret set NAME --body ${mixed}`, mixed, 'gh secret set NAME --body '),
  at('gh secret, short flag', `gh secret set NAME -R o/r -b ${mixed} && ls`, mixed, '&& ls'),
  at(
    'gh secret in quotes',
    `gh secret set NAME --body="correct horse; stable" -R o/r`,
    'horse; stable',
    '-R o/r',
  ),
  at('gh secret, flag first', `gh secret set -b'hunter' NAME`, 'hunter', 'NAME'),
];

const CONTINUED: readonly SecretText[] = [
  at('echo, the pipe on the next line', `echo ${mixed} \\\n | docker login --password-stdin`, mixed),
  at('echo, the command on the next line', `echo ${mixed} |\n  docker login --password-stdin`, mixed),
  at('here-document of sudo', `sudo -S ls <<EOF\n${word}\nEOF`, word, 'EOF'),
  at('here-document of docker login', `docker login --password-stdin <<'EOF'\n${mixed}\nEOF`, mixed),
  at('a prompt for an address', `Password for 'https://me@github.com': ${mixed}`, mixed, 'me@github.com'),
  at('a prompt in Russian', 'Введите пароль:\nhunter', 'hunter'),
  at('said in Chinese', `密码是${mixed}`, mixed),
];

const PROMPTS: readonly SecretText[] = [
  at('a prompt', `Enter password:\n${mixed}\nok`, mixed, ['Enter password:', 'ok']),
  at('a prompt with CRLF', `Enter password: \r\n${mixed}\r\nok`, mixed, 'ok'),
  at('a prompt and an ordinary word', 'Enter password:\nhunter\nok', 'hunter', 'ok'),
  at('a prompt of sudo', '[sudo] password for me:\nhunter', 'hunter', 'for me:'),
  at('a prompt of ssh', "me@host's password:\nhunter", 'hunter'),
  at('a prompt of a key', `Enter passphrase for key '/home/me/.ssh/a':\nhunter`, 'hunter', '/home/me'),
  at('a prompt answered on its line', `[sudo] password for me: ${mixed}`, mixed, 'for me: '),
  at('a short prompt', `Password:\n${mixed}`, mixed),
  at('a prompt for a token', `Paste your token:\n${mixed}`, mixed),
];

const LANGUAGES: readonly SecretText[] = [
  ...[
    'Passwort:',
    'Kennwort:',
    'mot de passe :',
    'Mot de passe\u00a0:',
    'contraseña:',
    'contrasena:',
    'senha:',
    'пароль:',
    'ПАРОЛЬ:',
    '密码：',
    '密碼:',
    'パスワード:',
    'パスワード：',
    '비밀번호:',
    'wachtwoord:',
    'hasło:',
    'lösenord:',
    'parola:',
    'şifre:',
    'heslo:',
    'password：',
  ].map((name) => at(name, `${name} ${mixed}\nok`, mixed, [name, 'ok'])),
  at('without a blank', `密码：${mixed}，谢谢`, mixed, '，谢谢'),
  at('an ordinary word in quotes', 'passwort = "hunter"', 'hunter'),
  at('a flag', 'tool --passwort hunter', 'hunter'),
  at('an environment', 'DB_PASSWORT=hunter', 'hunter'),
  at('camelCase of two words', `motDePasse: "hunter"`, 'hunter'),
  at('a prompt', `Passwort:\n${mixed}`, mixed),
  at('said', `das Passwort ist ${mixed}.`, mixed),
];

export const SECRET_TEXTS: readonly SecretText[] = [
  ...FORMS,
  ...KEYS,
  ...NAMED,
  ...HEADERS,
  ...ADDRESSES,
  ...AFTER_ESCAPES,
  ...TRIPLE_QUOTED,
  ...USERS_OF_ADDRESSES,
  ...COMMANDS,
  ...PROMPTS,
  ...CONTINUED,
  ...LANGUAGES,
  ...SPACED_SECRET_TEXTS,
  ...STRUCTURED_SECRET_TEXTS,
];

import { at, join, random, type SecretText } from './synthetic-secrets.js';

const secret = join('Xk9vQ2m', 'T7pLw4RzB');
const weak = join('hunt', 'er2!');
const aws = `${random(17)}/${random(21)}+`;
const ESC = '\u001b';
const encode = (text: string) => Buffer.from(text).toString('base64');
const wrap = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? '';

const HIDDEN: readonly SecretText[] = [
  at('colours', `${ESC}[32mDB_PASSWORD${ESC}[0m=${ESC}[33m${secret}${ESC}[0m`, secret, 'DB_PASSWORD='),
  at(
    'colours of jq',
    `${ESC}[1;39m{\n  ${ESC}[0m${ESC}[34;1m"password"${ESC}[0m${ESC}[1;39m: ${ESC}[0m${ESC}[0;32m"${secret}"${ESC}[0m\n}`,
    secret,
  ),
  at(
    'colours of grep inside the label',
    `.env:DB_${ESC}[01;31mPASSWORD${ESC}[m=${secret}`,
    secret,
    '.env:DB_',
  ),
  at('a colour inside the secret', `use ${join('sk-', 'ant-')}${ESC}[0mapi03-${secret}${secret}`, secret),
  at('a colour between a word and the secret', `INFO${ESC}[0m${join('gh', 'p_', random(36))}`, random(36)),
  at('a link of a terminal', `${ESC}]8;;https://x${ESC}\\password${ESC}]8;;${ESC}\\: ${secret}`, secret),
  at('written colours', `\\u001b[32mDB_PASSWORD\\u001b[0m=\\u001b[33m${secret}\\u001b[0m`, secret),
  at('a zero-width space in the label', `PASS\u200bWORD=${secret}`, secret),
  at('a direction mark before the value', `password: \u202a${secret}\u202c`, secret),
  at('an invisible character in the secret', `${join('sk-', 'ant-')}\u200bapi03-${secret}${secret}`, secret),
  at('full-width letters', `ＤＢ＿ＰＡＳＳＷＯＲＤ＝${secret}`, secret),
];

const PAIRS: readonly SecretText[] = [
  at(
    'fields between',
    `[{"name":"DB_PASSWORD","slotSetting":false,"value":"${secret}"}]`,
    secret,
    'slotSetting',
  ),
  at(
    'fields between, on lines',
    `{\n  "name": "DB_PASSWORD",\n  "type": "string",\n  "value": "${secret}"\n}`,
    secret,
    '"type"',
  ),
  at('the value first', `{"value":"${secret}","name":"DB_PASSWORD"}`, secret, '"name":"DB_PASSWORD"'),
  at('the value first in YAML', `- value: ${secret}\n  name: DB_PASSWORD`, secret, 'name: DB_PASSWORD'),
  at(
    'the value first in HTML',
    `<input value="${secret}" type="text" name="password">`,
    secret,
    'type="text"',
  ),
  at('an array', `["DB_PASSWORD","${secret}"]`, secret, 'DB_PASSWORD'),
  at('arrays in an array', `[["DB_PASSWORD","${secret}"],["A","b"]]`, secret, '["A","b"]'),
  at('a tuple of Python', `('password', '${secret}')`, secret),
  at('a call of Go', `os.Setenv("DB_PASSWORD", "${secret}")`, secret, 'os.Setenv("DB_PASSWORD", "'),
  at('a call of C', `setenv("DB_PASSWORD", "${secret}", 1);`, secret, ', 1);'),
  at('a property of XML', `<property name="password">${secret}</property>`, secret, '</property>'),
  at('an entry of XML', `<entry key="db.password">${weak}</entry>`, weak, '</entry>'),
  at('a setting of Hadoop', `<name>db.password</name>\n  <value>${secret}</value>`, secret, '</value>'),
  at('a property list', `<key>password</key>\n<string>${secret}</string>`, secret, '<key>password</key>'),
  at('a web key', `{"kty":"RSA","n":"abc","d":"${secret}${secret}","e":"AQAB"}`, secret, '"e":"AQAB"'),
  at('a symmetric web key', `{"kty":"oct","k":"${secret}${secret}"}`, secret, '"oct"'),
  at('an encoded form', `body=user%3Dann%26password%3D${secret}%26page%3D2`, secret, '%26page%3D2'),
  at('an encoded key', `q=%26api_key%3D${secret}`, secret, '%26api_key%3D'),
];

const LINES: readonly SecretText[] = [
  at('a block of YAML', `password: |\n  ${secret}\nuser: ann`, secret, 'user: ann'),
  at('a folded block of YAML', `token: >-\n  ${secret}\n`, secret, 'token: >-'),
  at('a continued line', `export DB_PASSWORD=\\\n${secret}`, secret, 'export DB_PASSWORD='),
  at(
    'variables in PowerShell',
    `Name                           Value\n----                           -----\nDB_PASSWORD                    ${weak}\nPATH  C:\\x`,
    weak,
    'PATH  C:\\x',
  ),
  at('an arrow', `DB_PASSWORD -> ${weak}`, weak, 'DB_PASSWORD -> '),
  at('an arrow sign', `the password → ${secret}`, secret, 'the password → '),
  at('a dash', `temporary password - ${secret}`, secret, 'temporary password - '),
  at('a verb and a colon', `Your temporary password is: ${weak}`, weak, 'Your temporary password is: '),
  at('a key of a wireless network', `network={\n  ssid="a"\n  psk="${weak}"\n}`, weak, 'ssid="a"'),
  at(
    'a cookie file',
    `# Netscape HTTP Cookie File\n.x.com\tTRUE\t/\tTRUE\t0\tsessionid\t${secret}\n`,
    secret,
    '.x.com\tTRUE',
  ),
  at('a slash in the password of an address', `postgres://ann:pa/ss7word@h/db`, 'ss7word', '@h/db'),
];

const COLUMNS: readonly SecretText[] = [
  at(
    'a table of aws',
    `|  AccessKeyId     |  none  |\n|  SecretAccessKey |  ${aws}  |\n`,
    aws,
    '|  SecretAccessKey |',
  ),
  at('a row of Markdown', `| DB_PASSWORD | \`${weak}\` |`, weak, '| DB_PASSWORD |'),
  at(
    'a table of Markdown',
    `| user | password |\n|---|---|\n| ann | ${secret} |\n| bob | ${weak} |`,
    [secret, weak],
    ['| ann |', '| bob |'],
  ),
  at(
    'a heading of two words',
    `| User | Temporary password | Role |\n|---|---|---|\n| ann | ${secret} | admin |`,
    secret,
    '| admin |',
  ),
  at('psql', ` name | password | id\n------+----------+----\n ann  | ${secret} | 7\n(1 row)`, secret, '| 7'),
  at('psql, one field a line', `-[ RECORD 1 ]\nname     | ann\npassword | ${secret}`, secret, 'password | '),
  at(
    'mysql',
    `+------+----------+\n| name | password |\n+------+----------+\n| ann  | ${secret} |\n`,
    secret,
    'ann',
  ),
  at('CSV', `user,password\nann,${secret}\nbob,${weak}`, [secret, weak], ['ann,', 'bob,']),
  at('CSV with quotes', `"name","password","role"\n"Ann, B","${secret}","x"`, secret, '"Ann, B"'),
  at('CSV with quotes, a later column', `"id","name","password"\n"1","ann","${secret}"`, secret, '"ann"'),
  at('CSV with semicolons', `user;password;id\nann;${secret};7`, secret, ';7'),
  at('tabs', `user\tpassword\tid\nann\t${secret}\t7`, secret, '\t7'),
  at('CSV of names and values', `name,value\nDB_PASSWORD,${secret}`, secret, 'DB_PASSWORD,'),
  at('an insert', `INSERT INTO users (name,password) VALUES ('ann','${secret}')`, secret, "('ann','"),
  at(
    'an insert of several rows',
    `insert into "users"("id", "password")\nvalues (1, 'rabbit'), (2, '${secret}');`,
    ['rabbit', secret],
    '(2, ',
  ),
];

const environment = `PATH=/usr/bin\nDB_PASSWORD=${secret}\nHOME=/home/ann\nLANG=C\nTERM=xterm-256color\n`;
const ENCODED: readonly SecretText[] = [
  at(
    'one variable in base64',
    `echo ${encode(`DB_PASSWORD=${secret}`)} | base64 -d`,
    encode(secret).slice(4, 12),
    ['base64 -d'],
  ),
  at('an environment in base64', `data: ${encode(environment)}`, encode(environment), 'data: '),
  at(
    'an environment in lines of base64',
    `${wrap(encode(environment), 76)}\nok`,
    wrap(encode(environment), 76).split('\n'),
    'ok',
  ),
  at('a long environment in base64', encode(environment.repeat(40)), encode(environment)),
];

const lines = [join('MIIEvQIBADANBgkqh', random(47)), random(64), random(64), random(20)];
const KEYS: readonly SecretText[] = [
  at('a key without its first line', `x\n${lines.join('\n')}\n-----END PRIVATE KEY-----\ny`, lines, [
    'x\n',
    '\ny',
  ]),
  at(
    'a key without its first two lines',
    `x\n${lines.slice(1).join('\n')}\n-----END PRIVATE KEY-----\ny`,
    lines.slice(1),
  ),
  at(
    'a key without first and last line',
    `x\n\n${lines.slice(0, 3).join('\n')}\n\nthis is kept`,
    lines,
    'this is kept',
  ),
];

/** Secrets whose label is in another field, line, cell or encoding. */
export const STRUCTURED_SECRET_TEXTS: readonly SecretText[] = [
  ...HIDDEN,
  ...PAIRS,
  ...LINES,
  ...COLUMNS,
  ...ENCODED,
  ...KEYS,
];

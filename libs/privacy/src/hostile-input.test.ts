import { bySize, LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { quoteForAgent } from './quote-for-agent.js';
import { scrubJson } from './scrub-json.js';
import { scrubText } from './scrub-text.js';
import { SECRET_RULES } from './secret-rules.js';

/** Length of hostile texts in characters. */
const LENGTH = bySize({ quick: 32_000, full: 1_000_000 });

const fill = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const growthOf = (work: (text: string) => unknown, textOf: (length: number) => string) =>
  processorTimeGrowth((length) => work(textOf(length)), LENGTH);

const PIECES = [
  '<private>',
  '<private><private>',
  '<priv',
  '</private>',
  '<private a="',
  '&lt;private&gt;',
  '\\u003cprivate\\u003e',
  '<pri<private>',
  '`<system-reminder>`',
  '<',
  '< ',
  '<\u200b',
  '&amp;',
  '\\',
  '%3C%25',
  'a=',
  '\u0000',
  '\ud800',
  'password=',
  'password:',
  'password="',
  'password=\'x password="',
  'password:password:',
  'password = ',
  'passwords:["',
  'password=`',
  'password=\\"',
  'password\n',
  'password-',
  'password.',
  'password is ',
  '--password ',
  '<password>',
  'password\t\t\t',
  '"password",   ',
  'password: aaaa ',
  'pass:',
  'authorization: ',
  'Authorization: Bearer ',
  'cookie: a=',
  '?key=',
  '&token=',
  'eyJaaaaaaaaa.',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrstuvwxyz\n',
  '-----END PRIVATE KEY-----',
  'mysql -',
  'machine a login b ',
  'docker login ',
  'redis-cli ',
  'MNOMNOMNOMNOMNOMNOMNOMNOM.',
  '0123456789abcdef',
  'setx PASSWORD ',
  'export A_TOKEN=abc ',
  'TOKEN=[a] ',
  'token: ["a"] ',
  'password: hunter2hunter2, ',
  'password="""',
  "password='''",
  'password="""a',
  'password=\\"\\"\\"',
  '://a1b2c3d4',
  '://a1b2c3d4e5f6a7b8c9',
  'a1b2c3d4e5f6a7b8@',
  '://[redacted:a]:',
  'echo ',
  'echo a | ',
  'echo "a',
  'echo -n a| sudo -',
  "printf '%s' a ",
  'sudo -S ',
  'sudo -S <<<',
  'sudo -S <<E\na\n',
  '<<',
  '密码是',
  '--password-stdin <<< ',
  'htpasswd -b ',
  'htpasswd -b a b c ',
  'htpasswd -b 1 -b 1 ',
  'gh secret set ',
  'gh secret set A -b ',
  'Enter password:\n',
  'Enter password:\\n',
  'password for ',
  'password for a: ',
  'password:\na1b2c3d4',
  '密码：',
  '密码',
  'mot de passe : ',
  'mot de ',
  'password aaaaaaaaaaaa ',
  'api key ',
  'create user ',
  'create user a password ',
  "create user a password '",
  "IDENTIFIED BY '",
  'identified by a ',
  'set password for ',
  'db.example.org:5432:',
  'a:12:b:c:',
  'net user a ',
  'unzip a ',
  'auth=(',
  "login('a', ",
  'ConvertTo-SecureString -a ',
  "'a' | ConvertTo-SecureString ",
  'aws configure set password ',
  'config set -a ',
  'user a ',
  'пароль: a1b2c3d4 ',
  '\u001b[32m',
  '\u001b[',
  '\u001b]8;;',
  'a\u200b',
  'Ａ',
  '"name":"password",',
  'name=password a=a a=a ',
  'name=password a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=',
  '"value":"a","name":"password",',
  'value: name: password ',
  '["password","a1b2c3d4",',
  'password: |\n  ',
  'password=\\\n',
  'a|password|',
  'a|password\n',
  'a,password\n',
  'password,a\nb,c\n',
  '"a","password"\n"b","a1b2c3d4"\n',
  'password\ta\t',
  'insert into a (password) values ',
  "insert into a (password) values ('a'),",
  "('insert into a (password) values (",
  'insert into ',
  'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWZnaGlqa2xtbm9wcXJz ',
  `${'YWJj'.repeat(19)}\n`,
  `${'YWJj'.repeat(19)}\\n`,
  'YWJj',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n',
  'abcdefghijklmnopqrstuvwxyzabcdefgh\n',
  'abcdefghijklmnopqrstuvwxyzabcdefgh\n-----END PRIVATE KEY-----\n',
  'password -> ',
  'password -',
  'A_PASSWORD  a1b2c3d4 ',
  '<a name="password">',
  '<name>password</name><value>',
  'a\tTRUE\t/\tTRUE\t0\t',
  '"kty" "d":"',
  '://a:a/a1b2c3',
  '%26password%3D',
  'password%3Da%2',
];

describe('scrubbing and quoting of hostile text', () => {
  it('B060: removes 5 MB of opening private tags in linear time', () => {
    const text = (length: number) => fill('<private>', length * 5);
    expect(scrubText(text(1_000_000)).text).toBe('');
    expect(growthOf(scrubText, text)).toBeLessThan(LINEAR_GROWTH);
  });

  it.each(PIECES.map((piece) => [JSON.stringify(piece), piece] as const))(
    'B060: takes linear time when a text repeats %s',
    (_name, piece) => {
      expect(growthOf(scrubText, (length) => fill(piece, length))).toBeLessThan(LINEAR_GROWTH);
    },
  );

  it('B060: takes linear time when a text repeats the beginning of a secret', () => {
    const anchors = [...new Set(SECRET_RULES.flatMap((rule) => rule.anchors))];
    expect(anchors.length).toBeGreaterThan(100);
    for (const anchor of anchors) {
      expect(
        growthOf(scrubText, (length) => fill(anchor, length)),
        anchor,
      ).toBeLessThan(LINEAR_GROWTH);
      expect(
        growthOf(scrubText, (length) => anchor + fill('a', length)),
        `${anchor}aaa`,
      ).toBeLessThan(LINEAR_GROWTH);
    }
  });

  it('B060: truncates JSON with 100,000 nesting levels in linear time', () => {
    const scrubbed = (depth: number) => {
      let value: unknown = 'bottom';
      for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
      return JSON.stringify(scrubJson(value).value);
    };
    expect(scrubbed(100_000)).toContain('[nested too deep]');
    expect(processorTimeGrowth(scrubbed, 100_000)).toBeLessThan(LINEAR_GROWTH);
  });

  it('quotes hostile text in linear time', () => {
    for (const piece of ['<', '< ', '<\u200b', '< a', '&', '&amp;', '<a>']) {
      expect(
        growthOf(quoteForAgent, (length) => fill(piece, length)),
        piece,
      ).toBeLessThan(LINEAR_GROWTH);
    }
  });
});

it('S07: takes linear time when redaction makes many keys equal', () => {
  const key = (at: number) => `ghp_${String(at).padStart(36, '0')}`;
  const scrub = (count: number) =>
    scrubJson(Object.fromEntries(Array.from({ length: count }, (_, at) => [key(at), 0])));
  expect(Object.keys(scrub(3).value as object)).toEqual([
    '[redacted:github]',
    '[redacted:github] (2)',
    '[redacted:github] (3)',
  ]);
  expect(processorTimeGrowth(scrub, 8_000)).toBeLessThan(LINEAR_GROWTH);
});

import { processorTime } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { quoteForAgent } from './quote-for-agent.js';
import { scrubJson } from './scrub-json.js';
import { scrubText } from './scrub-text.js';
import { SECRET_RULES } from './secret-rules.js';

const MEGABYTE = 1_000_000;
/** Generous, for a machine that does other things; something quadratic takes minutes. */
const ENOUGH_MS = 8_000;

function milliseconds(run: () => unknown): number {
  const spent = processorTime();
  run();
  return spent();
}

const fill = (piece: string, size = MEGABYTE) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

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
  'пароль: a1b2c3d4 ',
];

describe('time on hostile text', () => {
  it('B060: 5 MB of opening private tags are gone within a second', () => {
    const text = fill('<private>', 5 * MEGABYTE);
    scrubText('<private>warm</private>');
    let result = '';
    const spent = milliseconds(() => (result = scrubText(text).text));
    expect(result).toBe('');
    expect(spent).toBeLessThan(2_500);
  });

  it.each(PIECES.map((piece) => [JSON.stringify(piece), piece] as const))(
    'B060: 300 kB of %s',
    (_name, piece) => {
      expect(milliseconds(() => scrubText(fill(piece, 300_000)))).toBeLessThan(3_000);
    },
    30_000,
  );

  it('B060: no rule is slow on a megabyte of its own beginning', () => {
    const anchors = [...new Set(SECRET_RULES.flatMap((rule) => rule.anchors))];
    expect(anchors.length).toBeGreaterThan(100);
    for (const anchor of anchors) {
      expect(
        milliseconds(() => scrubText(fill(anchor))),
        anchor,
      ).toBeLessThan(ENOUGH_MS);
      expect(
        milliseconds(() => scrubText(anchor + fill('a', 200_000))),
        `${anchor}aaa`,
      ).toBeLessThan(ENOUGH_MS);
    }
  }, 120_000);

  it('B060: JSON nested 100,000 deep', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 100_000; depth += 1) value = depth % 2 === 0 ? [value] : { a: value };
    let text = '';
    expect(milliseconds(() => (text = JSON.stringify(scrubJson(value).value)))).toBeLessThan(1_000);
    expect(text).toContain('[nested too deep]');
  });

  it('quoting is linear too', () => {
    for (const piece of ['<', '< ', '<\u200b', '< a', '&', '&amp;', '<a>']) {
      expect(
        milliseconds(() => quoteForAgent(fill(piece))),
        piece,
      ).toBeLessThan(ENOUGH_MS);
    }
  });
});

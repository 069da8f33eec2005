import { ARGUMENT, ARGUMENT_SECRET_RULES } from './argument-secret-rules.js';
import { inside, rule, type SecretRule } from './secret-rule.js';

/** Matches a command that reads a password from its standard input. */
const READS_INPUT =
  '(?:\\bsudo\\b[^\\n|;&<]{0,120}?\\s-[A-Za-z]{0,6}S\\b|--password-stdin\\b|--passphrase-fd\\b|--with-token\\b|\\bpasswd --stdin\\b|\\b(?:chpasswd|smbpasswd|kinit|cryptsetup|aws configure|bw unlock)\\b|\\bsecret (?:set|put)\\b)';

/** Rules for secrets in well-known commands that need their own pattern. */
export const COMMAND_SECRET_RULES: readonly SecretRule[] = [
  ...ARGUMENT_SECRET_RULES,
  rule(
    'basic-auth',
    ['-u ', '-u"', "-u'", '-u=', '-U ', '--user', '--proxy-user', '--creds', '--src-creds', '--dest-creds'],
    /(?<keep>(?:-[uU]|--(?:proxy-)?user|--(?:src-|dest-)?creds)(?:[ =]\\{0,8}["']?|\\{0,8}["'], {0,4}\\{0,8}["']|["']?)(?<user>[^\s:"'=,\\]{1,128}):)(?!\[redacted:)(?![$%{<]|\d+\b|\/|\k<user>\b)[^\s"'\\]{1,256}/y,
  ),
  rule(
    'command-password',
    'mysql mysqldump mysqladmin mariadb mysqlsh',
    /(?<keep>m(?:ysql(?:dump|admin|sh|import)?|ariadb(?:-dump)?)\b[^\n|;&]{0,200}?\s-p)(?!\[redacted:)(?![\s$"'-]|assword|ort\b|rotocol|rint)[^\s"']{1,128}/y,
  ),
  rule(
    'command-password',
    'mysql mysqldump mariadb',
    /(?<keep>m(?:ysql(?:dump|admin|sh)?|ariadb)\b[^\n|;&]{0,200}?\s-p["'])(?!\[redacted:)(?!\$)[^\n"']{1,128}/y,
  ),
  rule(
    'command-password',
    'sshpass',
    /(?<keep>sshpass\s{1,4}-p\s{0,4}["']?)(?!\[redacted:)(?!\$)[^\s"']{1,128}/y,
  ),
  rule(
    'command-password',
    ['redis-cli', 'docker login', 'podman login', 'helm registry login', 'az login', 'oc login'],
    /(?<keep>(?:redis-cli\b[^\n|;&]{0,120}?\s-a|(?:docker|podman|helm registry|az|oc) login\b[^\n|;&]{0,200}?\s-p) {1,4}["']?)(?!\[redacted:)(?![$-])[^\s"']{1,128}/y,
  ),
  rule(
    'command-password',
    ['echo ', 'printf '],
    new RegExp(
      `(?<keep>(?:echo {1,4}(?:-[neE]{1,3} {1,4})?|printf {1,4}(?:\\\\{0,8}["']?%s(?:\\\\{1,8}n)?\\\\{0,8}["']? {1,4})?)\\\\{0,8}["']?)` +
        `(?!\\[redacted:)(?![\\s$\`%]|-[neE]{1,3} )` +
        `(?:(?<=")[^\\n"\\\\]{1,256}|(?<=')[^\\n'\\\\]{1,256}|[^\\n"'\\\\|;&<>]{0,255}[^\\s"'\\\\|;&<>])` +
        `(?=(?:\\\\{1,8}n)?\\\\{0,8}["']?[ \\t]{0,8}(?:\\\\{1,8}(?:\\r?\\n|n)[ \\t]{0,8})?\\|(?:[ \\t]{0,8}\\\\{0,8}(?:\\r?\\n|n))?[^\\n;&]{0,200}?${READS_INPUT})`,
      'y',
    ),
  ),
  inside(
    'command-password',
    '<<<',
    new RegExp(
      `(?<=${READS_INPUT}[^\\n|;&<]{0,200})(?<keep><<<[ \\t]{0,4}\\\\{0,8}["']?)(?!\\[redacted:)(?![$\`])${ARGUMENT}`,
      'y',
    ),
  ),
  inside(
    'command-password',
    '<<',
    new RegExp(
      `(?<=${READS_INPUT}[^\\n|;&<]{0,200})(?<keep><<-?[ \\t]{0,4}\\\\{0,8}["']?\\w{1,40}\\\\{0,8}["']?[^\\n\\\\]{0,80}(?:\\r?\\n|(?:\\\\{1,8}r)?\\\\{1,8}n))(?!\\[redacted:)(?![$\`])${ARGUMENT}`,
      'y',
    ),
  ),
  // For `-b [options] [file] user password`, the password is the last argument.
  rule(
    'command-password',
    'htpasswd',
    new RegExp(
      `(?<keep>htpasswd(?:[ \\t]{1,4}[\\w./][\\w./:-]{0,80})?(?=[^\\n|;&]{0,120}?[ \\t]-[A-Za-z]{0,8}b)(?:[ \\t]{1,4}-[A-Za-z]{1,9}(?:[ \\t]{1,4}\\d{1,2}(?=[ \\t]))?){1,6}` +
        `(?:[ \\t]{1,4}[^\\s|;&<>[-][^\\s|;&<>]{0,255}){1,2}[ \\t]{1,4}\\\\{0,8}["']?)(?!\\[redacted:)(?![$\`])${ARGUMENT}` +
        `(?=\\\\{0,8}["']?[ \\t]{0,8}(?:$|[\\n\\r|;&<>)]|\\d>)|\\\\{0,8}["'\`](?![ \\t])|\\\\{1,8}[nr])`,
      'y',
    ),
  ),
  rule(
    'command-password',
    'gh secret set',
    new RegExp(
      `(?<keep>gh secret set\\b[^\\n|;&]{0,200}?\\s(?:--body(?![\\w-])|-b)[ =]{0,4}\\\\{0,8}["']?)(?!\\[redacted:)(?![\\s=$\`-])${ARGUMENT}`,
      'y',
    ),
  ),
  inside(
    'command-password',
    'pass:',
    /(?<=-(?:passin|passout|pass|k) )(?<keep>pass:)(?!\[redacted:)(?!\$)[^\s"']{1,128}/y,
  ),
  rule(
    'netrc',
    'machine',
    /(?<keep>machine\s{1,8}\S{1,255}(?:\s{1,8}(?:login|account)\s{1,8}\S{1,255}){0,2}\s{1,8}password\s{1,8})(?!\[redacted:)\S{1,255}/y,
  ),
  rule(
    'netrc',
    'default',
    /(?<keep>default\s{1,8}login\s{1,8}(?!page\b|form\b)\S{1,255}\s{1,8}password\s{1,8})(?!\[redacted:)\S{1,255}(?=\s{0,8}$|\s{0,8}[\n"'`])/y,
  ),
];

import { rule, type SecretRule } from './secret-rule.js';
import { isArgumentSecret, looksRandom } from './secret-values.js';

/** Matches one argument of a command. Spaces and shell characters are only matched in quotes. */
export const ARGUMENT = `(?:(?<=")[^\\n"\\\\]{1,512}|(?<=')[^\\n'\\\\]{1,512}|[^\\s"'\`\\\\|;&<>]{1,512})`;
const GAP = '[ \\t]{1,4}';
const QUOTE = `\\\\{0,8}["']?`;
const FLAG = `-{1,2}[A-Za-z0-9][\\w-]{0,40}(?:=[^\\s|;&<>]{0,100})?`;
const QUOTED = `\\\\{0,8}(?:"[^"\\n\\\\]{1,128}\\\\{0,8}"|'[^'\\n\\\\]{1,128}\\\\{0,8}')`;
const SKIPPED = `(?:${QUOTED}|[^\\s|;&<>"'/-][^\\s|;&<>"']{0,255})`;

/** Commands with flags whose value is a secret. Flags such as `--password` are found by their name. */
const SECRET_FLAGS: readonly [commands: string, flags: string][] = [
  ['sqlcmd bcp osql isql mosquitto_pub mosquitto_sub ipmitool unzip zip', '-P'],
  ['mongosh mongodump mongorestore mongoexport mongoimport mongostat mongo', '-p'],
  ['cqlsh rabbitmqadmin rdesktop useradd usermod', '-p'],
  ['nerdctl login|buildah login|skopeo login|crane auth login|argocd login|azd auth login', '-p'],
  ['ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', '-w|-s'],
  ['snmpwalk snmpget snmpset snmpbulkwalk', '-A|-X'],
  ['security unlock-keychain|security create-keychain', '-p'],
  ['security set-key-partition-list', '-k'],
  ['security import', '-P'],
  ['security add-generic-password|security add-internet-password', '-w'],
  ['openssl enc', '-k|-K'],
  ['aws ssm put-parameter|az keyvault secret set', '--value'],
  ['ssh-keygen', '-N|-P'],
  ['mysqladmin', 'password'],
  ['doctl auth init|codecov', '-t|--access-token'],
];

/** Commands with flags that are directly followed by their value: `7z x -pVALUE`. */
const ATTACHED_FLAGS: readonly [commands: string, flags: string][] = [
  ['7z 7za 7zz 7zr', '-p'],
  ['rar unrar', '-h?p'],
  ['xfreerdp wlfreerdp cmdkey', '/p(?:ass)?:'],
];

/** Commands that take a password by position, and the number of arguments before it. */
const POSITIONAL_PASSWORDS: readonly [commands: string, before: number][] = [
  [
    'bw unlock|openssl passwd|mkpasswd|rclone obscure|mvn --encrypt-password|mvn --encrypt-master-password',
    0,
  ],
  ['grafana-cli admin reset-admin-password|grafana cli admin reset-admin-password', 0],
  ['net user|bw login|wpa_passphrase|drush upwd|drush user:password', 1],
  ['rabbitmqctl add_user|rabbitmqctl change_password|rabbitmqctl authenticate_user', 1],
  ['samba-tool user create|samba-tool user add', 1],
  ['net use|mosquitto_passwd', 2],
  ['mc alias set|mc config host add', 3],
];
/** Settings of package managers whose name contains the host. */
const HOST_SETTINGS = `(?:composer|poetry)${GAP}config(?:${GAP}${FLAG}){0,4}${GAP}http-basic\\.[^\\s|;&<>]{1,128}${GAP}${SKIPPED}`;

/** Commands that take a token by position. An ordinary word after such a command is not a token. */
const POSITIONAL_TOKENS =
  'vault login|vault operator unseal|ngrok authtoken|ngrok config add-authtoken|snyk auth|wandb login|cargo login|huggingface-cli login';
const TOKEN_SETTINGS = `(?:composer|poetry)${GAP}config(?:${GAP}${FLAG}){0,4}${GAP}(?:pypi-token|github-oauth|gitlab-token|gitlab-oauth|bearer)\\.[^\\s|;&<>]{1,128}`;

const splitNames = (commands: string) => commands.split(commands.includes('|') ? '|' : ' ');
const anyOf = (names: readonly string[]) =>
  `(?:${names.map((name) => name.replaceAll(' ', GAP)).join('|')})(?:\\.exe)?(?![\\w-])`;

const argumentRule = (
  anchors: readonly string[],
  before: string,
  isSecret: (value: string) => boolean = isArgumentSecret,
  value = ARGUMENT,
): SecretRule => ({
  ...rule('command-password', anchors, new RegExp(`(?<keep>${before})${value}`, 'y')),
  isSecret,
});

/** Rules for secrets that well-known commands take as the value of a short flag or by position. */
export const ARGUMENT_SECRET_RULES: readonly SecretRule[] = [
  ...SECRET_FLAGS.map(([commands, flags]) =>
    argumentRule(
      splitNames(commands),
      `${anyOf(splitNames(commands))}[^\\n|;&]{0,200}?\\s(?:${flags})(?:${GAP}|=)${QUOTE}(?![\\s-])`,
    ),
  ),
  ...ATTACHED_FLAGS.map(([commands, flags]) =>
    argumentRule(
      splitNames(commands),
      `${anyOf(splitNames(commands))}[^\\n|;&]{0,200}?\\s(?:${flags})${QUOTE}(?![\\s-])`,
    ),
  ),
  ...POSITIONAL_PASSWORDS.map(([commands, before]) =>
    argumentRule(
      splitNames(commands),
      `${anyOf(splitNames(commands))}(?:${GAP}${FLAG}){0,6}(?:${GAP}${SKIPPED}){${before}}${GAP}${QUOTE}(?![\\s/-])`,
    ),
  ),
  argumentRule(['composer', 'poetry'], `${HOST_SETTINGS}${GAP}${QUOTE}(?![\\s-])`),
  argumentRule(
    splitNames(POSITIONAL_TOKENS),
    `${anyOf(splitNames(POSITIONAL_TOKENS))}(?:${GAP}${FLAG}){0,6}${GAP}${QUOTE}(?![\\s/-]|[\\w.-]{1,64}=[^=\\s])`,
    looksRandom,
  ),
  argumentRule(['composer', 'poetry'], `${TOKEN_SETTINGS}${GAP}${QUOTE}(?![\\s-])`),
  argumentRule(
    ['ConvertTo-SecureString', 'convertto-securestring'],
    `[Cc]onvert[Tt]o-[Ss]ecure[Ss]tring(?:${GAP}-[A-Za-z]{1,20}){0,4}${GAP}\\\\{0,8}["']`,
  ),
  argumentRule(
    ['ConvertTo-SecureString', 'convertto-securestring'],
    `[Cc]onvert[Tt]o-[Ss]ecure[Ss]tring(?=[^\\n|;]{0,200}-[Aa]s[Pp]lain[Tt]ext)(?:${GAP}-[A-Za-z]{1,20}){0,4}${GAP}(?![\\s-])`,
  ),
  argumentRule(
    ['http ', 'https '],
    `https?(?=[ \\t])[^\\n|;&]{0,120}?${GAP}-a${GAP}${QUOTE}[^\\s:"'\\\\]{1,128}:`,
  ),
  argumentRule(
    ['smbclient', 'rpcclient'],
    `(?:smb|rpc)client[^\\n|;&]{0,200}?\\s-U${GAP}${QUOTE}[^\\s%"']{1,128}%`,
  ),
  argumentRule(
    ['sqlplus', 'sqlldr', 'expdp', 'impdp', 'rman', 'jdbc:oracle:'],
    `(?:(?:sqlplus|sqlldr|expdp|impdp|rman)(?:${GAP}${FLAG}){0,4}${GAP}${QUOTE}|jdbc:oracle:\\w{1,8}:)[\\w$#]{1,64}/`,
    isArgumentSecret,
    `[^\\s"'\`@|;&<>\\\\]{1,128}`,
  ),
  argumentRule(
    ['send '],
    `(?<=pass(?:word|phrase)[^;]{0,120})send${GAP}(?:--${GAP})?\\\\{0,8}"(?=[^"\\n]{1,128}\\\\[rn])`,
  ),
  // An access list of Redis, as a command or a line of its file.
  argumentRule(
    ['ACL SETUSER', 'acl setuser', 'user '],
    `(?:ACL${GAP}SETUSER|acl${GAP}setuser|user)${GAP}[^\\s"'>]{1,128}(?:${GAP}|${GAP}[^\\n>"']{1,120}\\s)["']?>`,
  ),
  argumentRule(['AUTH PLAIN', 'auth plain'], `(?:AUTH PLAIN|auth plain)${GAP}`, looksRandom),
  // Calls of well-known libraries with the user and then the password.
  argumentRule(
    [
      'auth=(',
      'db.auth(',
      'changeUserPassword(',
      'login(',
      'HTTPBasicAuth(',
      'HTTPDigestAuth(',
      'BasicAuth(',
      'setBasicAuth(',
      'SetBasicAuth(',
      'basic_auth(',
      'UsernamePasswordCredentials(',
      'UsernamePasswordCredential(',
      'PasswordAuthentication(',
      'PasswordCredential(',
      'NetworkCredential(',
    ],
    `(?:[\\w.]{1,40}=?)\\(\\s{0,8}${QUOTED},\\s{0,8}\\\\{0,8}["']`,
  ),
  argumentRule(
    ['new PDO(', 'new mysqli(', 'mysqli_connect(', 'getConnection('],
    `(?:[\\w ]{1,20})\\(\\s{0,8}${QUOTED},\\s{0,8}${QUOTED},\\s{0,8}\\\\{0,8}["']`,
  ),
];

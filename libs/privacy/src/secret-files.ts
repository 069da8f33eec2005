import { redaction } from './scrub-known-secrets.js';
import { scrubText, type ScrubbedText } from './scrub-text.js';
import { isSecretValue, looksRandom } from './secret-values.js';

const SECRET_FILE_NAME =
  /^(?:\.env(?:rc)?(?:[._-].*)?|.*\.env|env\.(?:local|prod(?:uction)?|dev(?:elopment)?|staging)|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|credentials(?:\.(?:json|ya?ml|toml|ini|csv|xml|db))?|\.?(?:pgpass|netrc|_netrc|htpasswd|git-credentials|npmrc|pypirc|yarnrc|my\.cnf|dockercfg|boto|s3cfg|vault-token|secrets?)|secrets?\.(?:json|ya?ml|toml|ini|env|properties|tfvars)|.*\.(?:pem|key|p12|pfx|jks|keystore|ppk|asc|kdbx|tfvars|ovpn|agekey)|service[-_]?account.*\.json|application_default_credentials\.json|terraform\.tfstate(?:\.backup)?|kubeconfig)$/i;
const SECRET_FOLDERS =
  /(?:^|[\\/])\.(?:kube[\\/]config|docker[\\/]config\.json|aws[\\/](?:config|credentials)|config[\\/]gh[\\/]hosts\.yml|ssh[\\/](?!known_hosts|config|authorized_keys)[^\\/]+(?<!\.pub))$/i;

/** Returns true when the path names a file for secrets, so that no value of it may be stored. */
export function isSecretFile(path: string): boolean {
  if (path.length > 4_096) return false;
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return SECRET_FILE_NAME.test(name) || SECRET_FOLDERS.test(path);
}

/** Matches messages of commits and pull requests, which can mention a file without using it. */
const MESSAGE = /(?<=\s(?:-m|--message|--body|--title)[ =])(?:"(?:[^"\\]|\\.)*"|'[^']*')/g;

/** Returns the first secret file that a shell command uses, or null. */
export function secretFileInCommand(command: string): string | null {
  const words = removeHereDocuments(command.slice(0, 100_000)).replace(MESSAGE, ' ');
  return words.match(/[^\s"'`;|&<>()=,:@]+/g)?.find((word) => isSecretFile(word)) ?? null;
}

/** Removes the bodies of here-documents. A here-document without an end is ignored. */
function removeHereDocuments(command: string): string {
  const lines = command.split('\n');
  const lastAt = new Map(lines.map((line, index) => [firstWord(line), index]));
  let end: string | null = null;
  return lines
    .filter((line, index) => {
      if (end !== null) {
        if (firstWord(line) === end) end = null;
        return false;
      }
      const tag = /<<-?[ \t]*["']?(\w{1,40})/.exec(line)?.[1];
      if (tag !== undefined && (lastAt.get(tag) ?? 0) > index) end = tag;
      return true;
    })
    .join('\n');
}

const firstWord = (line: string) => /^\s*(\w{1,40})\b/.exec(line.slice(0, 200))?.[1] ?? '';

/** Matches `name = value`, `name: value` and `"name": "value",` with text that a tool can add before the line. */
const assignmentLine =
  /^(?<before>(?:[^\s=:"']{1,200}:)?[ \t]*(?:\d{1,7}[ \t]*[→|:\t-])?[ \t]*(?:[-+>][ \t]*)?(?:(?:export|set|declare -x|setx)[ \t]+)?\\{0,4}["']?[A-Za-z_][\w.[\]-]{0,200}\\{0,4}["']?[ \t]*[=:][ \t]*)(?<value>\S.*?)(?<after>[ \t\r]*)$/;

/**
 * Removes every value and every line that resembles key material from the text of a secret file. Names and comments
 * remain, so that the purpose of the file is visible.
 */
export function scrubSecretFileText(text: string): ScrubbedText {
  const scrubbed = scrubText(text);
  let removed = scrubbed.removed;
  const redact = () => {
    removed += 1;
    return redaction('secret-file');
  };
  const lines = scrubbed.text.split('\n').map((line) => {
    if (line.length > 20_000) return line.includes('=') || looksRandom(line.slice(0, 200)) ? redact() : line;
    if (/^[ \t]*(?:\d{1,7}[→|\t][ \t]*)?(?:[#;]|\/\/)/.test(line) && !/[=:]\s*\S/.test(line)) return line;
    const match = assignmentLine.exec(
      line.replace(/^([ \t]*(?:\d{1,7}[→|\t])?[ \t]*[-+ ]?)#[ \t]*(?=[A-Za-z_]\w*=)/, '$1'),
    );
    const value = match?.groups?.['value'] ?? '';
    if (match !== null) {
      const isUnchanged = /^(?:[[{]|["']?\[redacted:[\w-]+\]["']?,?$|\\{0,4}["']{2},?$)/.test(value);
      return isUnchanged
        ? line
        : `${match.groups?.['before'] ?? ''}${redact()}${match.groups?.['after'] ?? ''}`;
    }
    return redactWords(line, redact);
  });
  return { text: lines.join('\n'), removed };
}

function redactWords(line: string, redact: () => string): string {
  if (/^[^\s:]+:\d+:[^:\s]*:[^:\s]+:\S+$/.test(line)) return line.replace(/:[^:]*$/, () => `:${redact()}`);
  return line.replace(/[^\s"'`,;[\](){}]{16,}/g, (word) =>
    !word.includes('redacted:') &&
    (looksRandom(word) || /^[A-Za-z0-9+/=]{24,}$/.test(word)) &&
    isSecretValue(word, 'secret', 'literal')
      ? redact()
      : word,
  );
}

/** Removes the values of assignments from a command that uses a secret file (`echo "A=b" >> .env`, here-documents). */
export function scrubSecretFileCommand(command: string): ScrubbedText {
  const scrubbed = scrubText(command);
  let removed = scrubbed.removed;
  const text = scrubbed.text.replace(
    /(?<![\w$%-])(?<name>[A-Za-z_]\w{0,100}=)(?!\[redacted:)(?![$"'\s;|&)]|$)[^\s"';|&<>)]+/g,
    (_match, name: string) => {
      removed += 1;
      return `${name}${redaction('secret-file')}`;
    },
  );
  return { text, removed };
}

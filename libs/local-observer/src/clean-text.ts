import { toSingleLine, truncate } from '@claude-mem/core';

const HOME = /(?<![\w/])(?:\/(?:Users|home)\/[^/\s`"')]+|\/root)(?=\/|\b)/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const MAIL = /(?<![\w.+-])<?[\w.+-]+@[\w-]+\.[\w.-]+>?/g;
/** Matches a name that suggests a secret, with a value that is not a reference. */
const SECRET =
  /(?<![\w.-])([\w.-]*(?:secret|password|passwd|token|api[_-]?key|private[_-]?key|credential|access[_-]?key)[\w.-]*["']?\s*[:=]\s*)["']?(?![${<*]|process|os\.|env|null|undefined|true|false|func|\(|string|"")[^\s"'`,;){}]{6,}["']?/gi;

export type CleanText = (text: string, limit?: number) => string;

/**
 * Creates a function that reduces a text to one line for a record. Project paths become relative, and `~` replaces home
 * folders. UUIDs, mail addresses and values of secrets are removed.
 */
export function createCleanText(projectRoot: string | null, folder: string | null): CleanText {
  const roots = [projectRoot, folder].flatMap((root) =>
    root === null || root.length < 2 ? [] : [root.replace(/\/$/, '')],
  );
  return (text, limit = 400) => {
    let clean = toSingleLine(text.slice(0, 8_000));
    for (const root of roots) clean = clean.replaceAll(`${root}/`, '').replaceAll(root, '.');
    clean = clean
      .replace(HOME, '~')
      .replace(SECRET, '$1…')
      .replace(MAIL, (match) => (/^<?git@/.test(match) ? match : '…'))
      .replace(UUID, '…');
    return truncate(clean.trim(), limit);
  };
}

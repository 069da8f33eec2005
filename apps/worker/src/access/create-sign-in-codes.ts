import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** One-time codes that sign a browser in. They expire with the worker. 192 random bits need no rate limit. */
export interface SignInCodes {
  /** Creates a code. When there are too many, the oldest expires. */
  create(): { code: string; expiresAtEpoch: number };
  /** True for a code that can be redeemed. */
  isOpen(code: string): boolean;
  /** Redeems a code. Returns false when it is not valid. */
  redeem(code: string): boolean;
}

const LIFE_MS = 10 * 60_000;
const MOST_OPEN = 5;

export function createSignInCodes({ now }: { now: () => number }): SignInCodes {
  let open: { hash: Buffer; expiresAtEpoch: number }[] = [];
  const findIndex = (code: string) => {
    const hash = hashOf(code);
    open = stillOpen(open, now());
    return open.map((one) => timingSafeEqual(one.hash, hash)).indexOf(true);
  };
  return {
    create() {
      const code = randomBytes(24).toString('base64url');
      const expiresAtEpoch = now() + LIFE_MS;
      open = [...stillOpen(open, now()), { hash: hashOf(code), expiresAtEpoch }].slice(-MOST_OPEN);
      return { code, expiresAtEpoch };
    },
    isOpen: (code) => findIndex(code) >= 0,
    redeem(code) {
      const index = findIndex(code);
      open = open.filter((_, other) => other !== index);
      return index >= 0;
    },
  };
}

function stillOpen<Code extends { expiresAtEpoch: number }>(codes: readonly Code[], now: number): Code[] {
  return codes.filter(({ expiresAtEpoch }) => expiresAtEpoch > now);
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

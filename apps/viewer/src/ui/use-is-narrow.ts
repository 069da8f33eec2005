import { useMedia } from './use-media.js';

/** True on a phone. */
export const useIsNarrow = (): boolean => useMedia('(width < 40rem)');

import { useMedia } from './use-media.js';

export const useIsNarrow = (): boolean => useMedia('(width < 40rem)');

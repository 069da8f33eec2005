import { useMedia } from './use-media.js';

/** True where there is room for what is in focus beside the list that it is in. */
export const useIsWide = (): boolean => useMedia('(width >= 96rem)');

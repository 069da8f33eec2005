import { useMedia } from './use-media.js';

/** Whether the window has room for a selected record beside its list. */
export const useIsWide = (): boolean => useMedia('(width >= 96rem)');

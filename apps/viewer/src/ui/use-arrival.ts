import { useMatch, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** The visit whose heading was gone to last; undefined before the first page, which a browser announces itself. */
let visit: string | undefined;
let isAtHeading = false;

/**
 * The heading of a page: who comes to the page by a link or a key is there then, and hears it. Focus stays in a field that one
 * types in, and in a dialog.
 */
export function useArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const router = useRouter();
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    const before = visit;
    visit = router.latestLocation.state.__TSR_key ?? '';
    const { activeElement } = document;
    if (before === undefined) return;
    // what was shown until the answer came had a heading of its own
    const isLost = isAtHeading && activeElement === document.body;
    if (visit === before && !isLost) return;
    isAtHeading = !isTyping(activeElement) && activeElement?.closest('[role="dialog"]') === null;
    if (isAtHeading) heading.current?.focus({ preventScroll: true });
  }, [path, router]);
  return heading;
}

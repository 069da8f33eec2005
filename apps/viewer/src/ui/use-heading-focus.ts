import { useMatch, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** History key of the last visited page. Undefined before the first page, which the browser announces itself. */
let visit: string | undefined;
let isAtHeading = false;

/**
 * Returns a ref for the heading of a page. Focuses the heading after navigation, so that screen readers announce it.
 * The focus stays in text fields and dialogs.
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const router = useRouter();
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    const before = visit;
    visit = router.latestLocation.state.__TSR_key ?? '';
    const { activeElement } = document;
    if (before === undefined) return;
    // the loading page had another heading with the focus
    const isLost = isAtHeading && activeElement === document.body;
    if (visit === before && !isLost) return;
    isAtHeading = !isTyping(activeElement) && activeElement?.closest('[role="dialog"]') === null;
    if (isAtHeading) heading.current?.focus({ preventScroll: true });
  }, [path, router]);
  return heading;
}

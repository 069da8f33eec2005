import { Popover } from '@base-ui/react/popover';
import { X } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { Button } from '../ui/Button.js';
import { FilterPanel, type FilterPanelProps } from './FilterPanel.js';
import styles from './FilterPopover.module.css';

/** The filters next to their button. Open while the component is rendered. */
export function FilterPopover({
  anchor,
  onClose,
  ...props
}: FilterPanelProps & { anchor: RefObject<HTMLElement | null>; onClose: () => void }) {
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className={styles['positioner']}
        >
          <Popover.Popup
            className={`raised stack ${styles['popup']}`}
            initialFocus={() => panel.current?.querySelector('input') ?? true}
            finalFocus={anchor}
          >
            <div className="row between">
              <Popover.Title>Filters</Popover.Title>
              <Popover.Close render={<Button variant="quiet" isIcon />} aria-label="Close">
                <X aria-hidden size={16} />
              </Popover.Close>
            </div>
            <div ref={panel}>
              <FilterPanel {...props} />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Button } from './Button.js';
import styles from './Modal.module.css';

/** A dialog over the page, open while it is rendered. Focuses its first field, if it has one. */
export function Modal({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop'] ?? ''} />
        <Dialog.Popup
          ref={popup}
          className={`raised stack ${styles['popup']}`}
          initialFocus={() => popup.current?.querySelector<HTMLElement>('input, select, textarea') ?? true}
        >
          <div className="row between nowrap">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close render={<Button variant="quiet" isIcon />} aria-label="Close">
              <X aria-hidden size={16} />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

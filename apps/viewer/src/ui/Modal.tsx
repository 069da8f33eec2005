import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.js';
import styles from './Modal.module.css';

/** A dialog over the page, open as long as it is rendered. Its buttons go into an element of class `modal-actions`. */
export function Modal({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop'] ?? ''} />
        <Dialog.Popup className={styles['popup'] ?? ''}>
          <div className={styles['header']}>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close render={<Button look="quiet" isIcon />} aria-label="Close">
              <X aria-hidden size={16} />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

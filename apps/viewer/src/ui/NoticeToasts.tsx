import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from './Button.js';
import { notices } from './notices.js';
import styles from './NoticeToasts.module.css';

const manager = Toast.createToastManager();

export function NoticeToasts() {
  // an effect runs after the components inside have subscribed
  useEffect(() => notices.showWith(manager), []);
  return (
    <Toast.Provider toastManager={manager} timeout={6_000} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={`stack gap-2 ${styles['viewport']}`}>
          <Items />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Items() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`raised ${styles['notice']}`}>
      <Toast.Content className="row nowrap pad">
        <div className="grow">
          <Toast.Title className="strong" />
          <Toast.Description className="muted small" />
        </div>
        <Toast.Action render={<Button />} />
        <Toast.Close render={<Button variant="quiet" isIcon />} aria-label="Dismiss">
          <X aria-hidden size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

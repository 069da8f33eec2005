import { Toast } from '@base-ui/react/toast';

/** Short notices over the page: `notices.add({ title, description, timeout, actionProps })` shows one, from anywhere. */
export const notices = Toast.createToastManager();

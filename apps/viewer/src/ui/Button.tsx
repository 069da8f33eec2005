import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type Props = Omit<ComponentProps<typeof BaseButton>, 'className'> & { className?: string } & {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** A square with one icon; give it an `aria-label`. */
  isIcon?: boolean;
};

export function Button({ look = 'plain', isIcon = false, className, ...props }: Props) {
  const names = [styles['button'], styles[look], isIcon ? styles['icon'] : '', className ?? ''];
  return <BaseButton {...props} className={names.filter(Boolean).join(' ')} />;
}
